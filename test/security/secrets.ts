import { randomBytes } from 'node:crypto'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { Secret } from 'otpauth'
import { openDatabase } from '../../db/client.ts'
import { startMailServer } from '../mail/server.ts'
import { aRole, ownApp, password, testDatabaseUrl, until } from '../support/app.ts'
import { aService, aServiceKey, keyCaller } from '../support/keys.ts'
import { leaksIn } from '../support/leaks.ts'
import { captureLog } from '../support/log-capture.ts'
import { aConfirmedCaller, deliverAtOnce, tokenIn } from '../support/mails.ts'
import { freePort } from '../support/postgres.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { begin, comeBack } from '../support/providers/flow.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { walk } from '../support/providers/walk.ts'
import * as factors from '../support/second-factors.ts'
import { schemaFile, settingsOf } from '../support/settings.ts'
import { noLimitsByAddress } from '../support/test-config.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Responses that give a secret to its owner. */
const giving =
  /^POST \/api\/(user\/(totp|totp\/confirm|recovery-codes|keys)|admin\/services\/[\w-]+\/keys|auth\/providers\/acme) 20|^PATCH \/api\/user\/settings 200|^GET \/api\/auth\/providers\/acme\/callback\?/

/** An application with everything turned on, the list of its secrets, and what it has put out. */
export async function aPortalWithSecrets(t: Test) {
  /** Each secret with its name. */
  const secrets = new Map<string, string>()
  /** Codes have six digits, which may also be part of a longer number. */
  const codes = new Set<string>()
  const responses: string[] = []
  const given: string[] = []
  const keep = (name: string, ...values: string[]) => {
    for (const value of values) secrets.set(value, name)
  }
  /** The names of the secrets that a text contains. */
  const leaked = (text: string) => [
    ...leaksIn(text, secrets.keys()).map((secret) => secrets.get(secret)),
    ...[...codes]
      .filter((code) => new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`).test(text))
      .map(() => 'code')
  ]

  const key = { kid: 'k1', secret: randomBytes(32) }
  for (const form of ['hex', 'base64', 'base64url'] as const) {
    keep('secret key', key.secret.toString(form))
  }
  const mailServer = await startMailServer(t)
  const acme = await startOidcProvider(t)
  keep('client secret', acme.client.secret)
  const { log, output } = captureLog('trace')
  const url = await testDatabaseUrl(t)
  const database = await openDatabase(url, { poolMax: 5 })
  const config = {
    ...noLimitsByAddress,
    SECRET_KEYS: [key],
    EMAIL_VERIFICATION: 'required' as const,
    MAIL_URL: mailServer.url,
    MAIL_FROM: 'portal@example.com',
    METRICS_PORT: await freePort(),
    settingsSchemas: settingsOf(t, schemaFile),
    providers: [configured.oidc(acme, { trustsEmail: 'claim' })]
  }
  const app = await ownApp(t, config, database, log)
  deliverAtOnce(t, app)

  /** Keeps the value of a cookie, its signature and the secret of its session. */
  function keepCookie(cookie = '') {
    const [, value = ''] = /^[^=]+=([^;]*)/.exec(cookie) ?? []
    const [, claims, signature] = value.split('.')
    keep('cookie', ...[value, value.split('.').at(-1) ?? ''].filter((part) => part.length > 15))
    if (!claims?.startsWith('eyJ') || signature === undefined) return
    const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string }
    keep('session', signature, jti)
  }
  // Everything that asks the application in this process goes through it.
  const inject = app.inject.bind(app) as (options: InjectOptions) => Promise<Response>
  Object.assign(app, {
    async inject(options: InjectOptions) {
      const response = await inject(options)
      const { 'set-cookie': cookies, ...headers } = response.headers
      for (const cookie of [cookies].flat()) keepCookie(cookie)
      const call = `${options.method ?? 'GET'} ${String(options.url)} ${response.statusCode}`
      const kept = giving.test(call) ? given : responses
      kept.push(response.body, JSON.stringify(headers))
      return response
    }
  })
  const call = (method: Method, path: string, payload?: object | string, headers: object = {}) =>
    app.inject({
      method,
      url: path,
      headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { payload })
    })
  const post = (path: string, payload?: object | string, cookie = '') =>
    call('POST', path, payload, { cookie })
  /** Uses a token everywhere and in every wrong way before it is used well. */
  async function misuse(token: string, cookie = '') {
    for (const path of [
      '/api/auth/confirm',
      '/api/auth/recovery/confirm',
      '/api/auth/email/revert',
      '/api/user/email/confirm'
    ]) {
      await call('GET', `${path}?token=${token}`, undefined, { cookie })
      await post(`${path}?token=${token}`, { token: [token], [token]: token }, cookie)
      await post(path, `{"token": "${token}`, cookie)
      await post(path, { token: `${token}\0`, password, newPassword: password }, cookie)
      await post(path, { token, password: 'not this one' }, cookie)
      await post(path, { token, newPassword: 'short' }, cookie)
    }
  }

  /** Works while a table is missing, and waits until no mail is on its way. */
  async function without(table: string, work: () => Promise<void>) {
    await app.db.execute(sql`alter table ${sql.identifier(table)} rename to elsewhere`)
    await work()
    const isUnderWay = sql`state = 'pending'
      and (attempts = 0 and next_at <= now() or lease is not null)`
    await until(async () => (await app.db.$count(outbox, isUnderWay)) === 0)
    await app.db.execute(sql`alter table elsewhere rename to ${sql.identifier(table)}`)
  }

  /** Signs in with codes and recovery codes, and replaces the app. */
  async function useFactors() {
    const owner = await factors.aUserWithApp(app)
    keepCookie(owner.cookie)
    function keepFactors({ secret, recoveryCodes }: { secret: string; recoveryCodes: string[] }) {
      const bytes = Buffer.from(Secret.fromBase32(secret).buffer)
      keep(
        'app',
        secret,
        ...(['hex', 'base64', 'base64url'] as const).map((form) => bytes.toString(form))
      )
      for (const each of recoveryCodes) keep('recovery code', each, each.replaceAll('-', ''))
    }
    keepFactors(owner)
    const right = await owner.code()
    const [spent = '', unused = ''] = owner.recoveryCodes
    codes.add(right).add(factors.wrongOf(right))
    for (const payload of [
      { code: factors.wrongOf(right) },
      { code: right },
      { code: right },
      { recoveryCode: spent },
      { recoveryCode: spent },
      { recoveryCode: `${unused} ${unused}` },
      { code: `${right}0` },
      { recoveryCode: unused, code: right }
    ]) {
      await factors.verify(app, await factors.beginLogin(app, owner.user), payload)
    }
    await post('/api/auth/login/verify', `{"recoveryCode":"${unused}`)
    await factors.forgetCodes(app.db, owner.user.id)
    const proved = await owner.call('POST', '/api/auth/reauthenticate', { code: right })
    const { callerWith } = factors.sessionsOf(app)
    const next = await factors.enrol(app, callerWith(factors.cookieSet(proved, 'session') ?? ''))
    keepFactors(next)
    codes.add(next.code)
    const asOwner = callerWith(next.cookie)
    await asOwner('POST', '/api/auth/reauthenticate', { code: factors.wrongOf(next.code) })
    await asOwner('POST', '/api/user/totp/confirm', { code: next.code, token: unused })
    for (const path of ['user/security', 'user/activity', 'auth/me']) {
      await asOwner('GET', `/api/${path}`)
    }
    return { owner: owner.user, asOwner, recoveryCode: next.recoveryCodes[0] }
  }

  /** Keeps a key, and a part of it, as when one was cut or mistyped. */
  const keepKey = (secret: string) => keep('API key', secret, secret.slice(7, 50))
  /** Creates keys and sends them everywhere. */
  async function useKeys(admin: factors.Caller) {
    const creator = await aConfirmedCaller(app, await aRole(app.database, 'keys:create'))
    const ofUser = await creator.call('POST', '/api/user/keys', { name: 'A key' })
    const service = await aService(app.database, 'user')
    const path = `/api/admin/services/${service.key}`
    const ofService = await admin.call('POST', `${path}/keys`, { name: 'A key' })
    const abroad = await aServiceKey(app.database, service, { networks: ['192.0.2.1'] })
    const gone = await aServiceKey(app.database, service)
    await admin.call('DELETE', `/api/admin/keys/${gone.id}`)
    const apiKeys = [ofUser.json(), ofService.json(), abroad, gone].map((each) =>
      String(each.secret)
    )
    for (const secret of apiKeys) {
      keepKey(secret)
      const { check, me } = keyCaller(app, secret)
      for (const query of ['', '&permission=users:read', '&assurance=2', '&audience=x']) {
        await check(query)
      }
      await check('', { cookie: admin.cookie })
      await check('', { authorization: `Bearer ${secret}x` })
      await me()
      await me({ cookie: admin.cookie, 'user-agent': 'a job' })
      for (const at of [`api/machine/me?key=${secret}`, secret, secret.replaceAll('_', '%5F')]) {
        await call('GET', `/${at}`)
      }
      await call('GET', `/api/admin/keys/${secret.slice(7)}`)
      for (const { call } of [admin, creator]) {
        for (const at of [
          ...['user/keys', 'user/activity', 'admin/keys', 'admin/activity?limit=200'],
          ...[`admin/keys?owner=${secret}`, `admin/keys/${secret}`]
        ]) {
          await call('GET', `/api/${at}`)
        }
        for (const at of [`${path}/keys`, path]) await call('GET', at)
        await call('DELETE', `/api/user/keys/${secret}`)
        await call('POST', '/api/user/keys', { name: secret, days: secret })
      }
    }
    return apiKeys
  }

  const places: string[] = []
  /** Somebody signs in with the provider. Returns the code of the problem. */
  async function go(person: string, change: (params: URLSearchParams) => void = () => {}) {
    const browser = aBrowser(app)
    const { url = '' } = await begin(app, browser.jar, { key: 'acme', returnTo: '/app' })
    for (const name of ['state', 'nonce']) keep(name, new URL(url).searchParams.get(name) ?? '')
    const callback = await walk(url, person)
    const code = callback.params.get('code')
    if (code) keep('code of a provider', code)
    change(callback.params)
    const { location, problem } = await comeBack(app, browser.jar, callback)
    places.push(String(location))
    return problem
  }

  return {
    ...{ call, post, misuse, without, useFactors, useKeys, keepKey, go, places },
    ...{ app, url, secrets, codes, keep, keepCookie, leaked, responses, given, output },
    ...{ mailServer, acme, metricsPort: config.METRICS_PORT },
    /** The new token in a mail to this address. */
    tokenFor: (to: string) =>
      until(() => {
        const mail = mailServer.mails.findLast((each) => each.to.includes(to))?.mail.text
        const token = mail?.includes('?token=') ? tokenIn(mail) : undefined
        if (token === undefined || secrets.has(token)) return undefined
        keep('link', token)
        return token
      })
  }
}
