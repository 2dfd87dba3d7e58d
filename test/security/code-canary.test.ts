import { eq, sql } from 'drizzle-orm'
import { Secret } from 'otpauth'
import t from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { openPayload } from '../../src/domain/outbox/enqueue.ts'
import { captureLog } from '../support/log-capture.ts'
import { password, ownApp, testDatabase } from '../support/app.ts'
import { leaksIn, storedText } from '../support/leaks.ts'
import {
  aUserWithApp,
  beginLogin,
  cookieSet,
  enrol,
  forgetCodes,
  verify,
  wrongOf
} from '../support/second-factors.ts'

// Secrets of apps, codes, recovery codes and login cookies pass through everything that uses them.

const { log, output } = captureLog('trace')
const database = await testDatabase(t)
const app = await ownApp(t, {}, database, log)
const { db } = app
const secrets = new Set<string>()
const codes = new Set<string>()
const bodies: string[] = []

function remember({ secret, recoveryCodes, code }: Awaited<ReturnType<typeof enrol>>) {
  const { buffer } = Secret.fromBase32(secret)
  const bytes = Buffer.from(buffer)
  for (const form of ['hex', 'base64', 'base64url'] as const) secrets.add(bytes.toString(form))
  secrets.add(secret)
  codes.add(code)
  for (const each of recoveryCodes) secrets.add(each).add(each.replaceAll('-', ''))
}

async function everything() {
  const owner = await aUserWithApp(app)
  remember({ ...owner, code: await owner.code() })
  const { user, call } = owner
  const signIn = async (payload: { code?: string; recoveryCode?: string }) => {
    const cookie = await beginLogin(app, user)
    secrets.add(cookie.split('=')[1] ?? '')
    const response = await verify(app, cookie, payload)
    bodies.push(response.body, JSON.stringify(response.headers))
    return response
  }
  const right = await owner.code()
  codes.add(wrongOf(right))
  const [first = '', second = ''] = owner.recoveryCodes
  await signIn({ code: wrongOf(right) })
  await signIn({ code: right })
  await signIn({ code: right })
  await signIn({ recoveryCode: first })
  await signIn({ recoveryCode: first })
  await signIn({ recoveryCode: `${second} ${second}` })
  for (const payload of [{ code: `${right}0` }, { recoveryCode: second, code: right }]) {
    await signIn(payload)
  }
  await app.inject({
    method: 'POST',
    url: '/api/auth/login/verify',
    headers: { 'content-type': 'application/json' },
    payload: `{"recoveryCode":"${second}`
  })

  await forgetCodes(db, user.id)
  const proved = await call('POST', '/api/auth/reauthenticate', { code: right })
  const cookie = cookieSet(proved, 'session') ?? ''
  const next = await enrol(app, (method, url, payload) =>
    app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })
  )
  remember(next)
  const own = { cookie: next.cookie }
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const response = await app.inject({ method, url, headers: own, ...(payload && { payload }) })
    bodies.push(response.body, JSON.stringify(response.headers))
    return response
  }
  await send('POST', '/api/auth/reauthenticate', { code: wrongOf(next.code) })
  await send('POST', '/api/user/totp/confirm', { code: next.code, token: second })
  for (const url of ['/api/user/security', '/api/user/activity', '/api/auth/me']) {
    await send('GET', url)
  }

  // Unexpected errors, whose statements have the secrets as parameters.
  const rename = (from: string, to: string) =>
    db.execute(sql`alter table ${sql.identifier(from)} rename to ${sql.identifier(to)}`)
  for (const table of ['recovery_codes', 'activity', 'totp', 'pending_logins']) {
    await rename(table, 'elsewhere')
    const pending = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password }
    })
    bodies.push(pending.body)
    const login = cookieSet(pending, 'login')
    if (login) {
      secrets.add(login.split('=')[1] ?? '')
      bodies.push((await verify(app, login, { recoveryCode: next.recoveryCodes[0] })).body)
    }
    for (const path of ['/api/user/totp', '/api/user/recovery-codes']) {
      const answer = await send('POST', path)
      const made = answer.statusCode === 200 ? (answer.json() as { secret?: string }).secret : ''
      if (made) secrets.add(made)
      if (answer.statusCode === 200) bodies.splice(-2)
    }
    await rename('elsewhere', table)
  }
  await send('PUT', '/api/user/second-factor', { required: false })
  await send('DELETE', '/api/user/totp')
  return user
}

const user = await everything()
/** A code is six digits, which may also be part of a longer number. */
const leaked = (text: string) => [
  ...leaksIn(text, secrets),
  ...[...codes].filter((code) => new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`).test(text))
]

t.test('the run used secrets, codes, recovery codes and login cookies', async (t) => {
  t.ok(secrets.size > 45, `${secrets.size}`)
  t.ok(codes.size >= 3)
  t.same(leaked(`a "${[...codes][0]}" b ${[...secrets][0]}`).length, 2, 'they would be found')
})

t.test('no log line at any level contains one', async (t) => {
  t.match(output(), /request failed/)
  t.same(leaked(output()), [])
})

t.test('no response contains one but those that give it', async (t) => {
  t.ok(bodies.length >= 40, `${bodies.length}`)
  t.same(leaked(bodies.join('\n').replace(/portal_login=[\w-]+/g, '')), [])
})

t.test('no row of the database contains one', async (t) => {
  const text = await storedText(db)
  t.match(text, /user\.totp-enrol/)
  t.match(text, /user\.recovery-code-use/)
  t.same(leaked(text), [])
})

t.test('no mail contains one', async (t) => {
  const rows = await db.select().from(outbox).where(eq(outbox.userId, user.id))
  const sealing = app.context.sealing
  const opened = rows.map(({ id, payload }) => JSON.stringify(openPayload(sealing, id, payload)))
  for (const kind of ['second-factor-added', 'recovery-code-used']) t.match(opened.join('\n'), kind)
  t.same(leaked(opened.join('\n')), [])
})
