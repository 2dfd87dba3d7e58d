import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../db/client.ts'
import { spentChallenges } from '../../db/schema/second-factors.ts'
import type { Config } from '../../src/config/config.ts'
import { ownApp, testDatabaseUrl } from '../support/app.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { begin, comeBack, cookieHeader } from '../support/providers/flow.ts'
import type { Jar } from '../support/providers/flow.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { portalOf } from '../support/providers/portal.ts'
import { walk } from '../support/providers/walk.ts'

/** Two providers, `acme` and `beta`, of which each trusts the callback of both. */
async function twoProviders(t: Test, config: Partial<Config> = {}) {
  const settings = {
    acme: { trustsEmail: 'claim' },
    beta: { name: 'Beta', trustsEmail: 'claim' }
  } as const
  const { acme, beta, app } = await portalOf(t, settings, config)
  const start = async (jar: Jar, key = 'acme', more: object = {}) => {
    const { url = '' } = await begin(app, jar, { key, ...more })
    return walk(url, 'nora')
  }
  return { acme, beta, app, start }
}

const flowCookies = (jar: Jar) => [...jar.keys()].filter((name) => name.includes('_flow_'))

t.test('a state counts in the browser that began, and only once', async (t) => {
  const { acme, app, start } = await twoProviders(t)
  const victim = aBrowser(app)
  const attacker = aBrowser(app)
  const callback = await start(attacker.jar)
  const asked = acme.requests.length
  t.equal((await comeBack(app, victim.jar, callback)).problem, 'flow-expired')
  t.equal(await victim.me(), undefined)
  t.equal(acme.requests.length, asked, 'without its cookie no provider is called')

  const copy: Jar = new Map(attacker.jar)
  t.equal((await comeBack(app, attacker.jar, callback)).problem, undefined)
  t.same(flowCookies(attacker.jar), [], 'its cookie is cleared')
  t.equal((await comeBack(app, copy, callback)).problem, 'flow-expired')
  t.equal(await app.db.$count(spentChallenges), 1)
})

t.test('a flow is accepted once by two instances at the same time', async (t) => {
  const acme = await startOidcProvider(t)
  const url = await testDatabaseUrl(t)
  const config = {
    SECRET_KEYS: [{ kid: 'test', secret: randomBytes(32) }],
    providers: [configured.oidc(acme, { trustsEmail: 'claim' })]
  }
  const one = await ownApp(t, config, await openDatabase(url, { poolMax: 5 }))
  const two = await ownApp(t, config, await openDatabase(url, { poolMax: 5 }))
  const browser = aBrowser(one)
  const { url: address = '' } = await begin(one, browser.jar, { key: 'acme' })
  const callback = await walk(address, 'nora')
  const ends = await Promise.all(
    [one, two].map((app) => comeBack(app, new Map(browser.jar), callback))
  )
  t.same(ends.map(({ problem }) => problem ?? 'signed in').sort(), ['flow-expired', 'signed in'])
  t.equal(acme.requests.filter((path) => path === '/token').length, 1)
})

t.test('a flow expires, whatever the browser keeps', async (t) => {
  const { app } = await twoProviders(t)
  const browser = aBrowser(app)
  const now = Date.now
  t.teardown(() => (Date.now = now))
  Date.now = () => now() - 601_000
  const { url = '' } = await begin(app, browser.jar, { key: 'acme' })
  Date.now = now
  t.equal((await comeBack(app, browser.jar, await walk(url, 'nora'))).problem, 'flow-expired')
  t.equal(await browser.me(), undefined)
})

t.test('the cookie of an attempt can be neither read nor changed', async (t) => {
  const { app } = await twoProviders(t)
  const { jar } = aBrowser(app)
  const { url = '' } = await begin(app, jar, { key: 'acme' })
  const [name = ''] = flowCookies(jar)
  const content = Buffer.from(jar.get(name) ?? '', 'base64url')
  t.notMatch(content.toString('latin1'), new URL(url).searchParams.get('nonce') ?? 'no nonce')
  content.writeUInt8(content.readUInt8(30) ^ 1, 30)
  jar.set(name, content.toString('base64url'))
  t.equal((await comeBack(app, jar, await walk(url, 'nora'))).problem, 'flow-expired')
})

t.test('the code of one provider counts nowhere else', async (t) => {
  const { acme, beta, app, start } = await twoProviders(t)
  const browser = aBrowser(app)
  const ofAcme = await start(browser.jar, 'acme')
  const elsewhere = { ...ofAcme, url: ofAcme.url.replace('/acme/', '/beta/') }
  t.equal((await comeBack(app, browser.jar, elsewhere)).problem, 'flow-expired')
  t.equal(beta.requests.filter((path) => path === '/token').length, 0)

  // A code and state of the attacker's choice, with the issuer of the other provider.
  const second = await start(browser.jar, 'acme')
  second.params.set('iss', beta.issuer)
  t.equal((await comeBack(app, browser.jar, second)).problem, 'provider-refused')
  t.equal(acme.requests.filter((path) => path === '/token').length, 0, 'no code is sent')
  t.equal(await browser.me(), undefined)
})

t.test('each provider leads back to a callback of its own', async (t) => {
  const { app } = await twoProviders(t)
  for (const key of ['acme', 'beta']) {
    const { url = '' } = await begin(app, new Map(), { key })
    const target = new URL(url).searchParams.get('redirect_uri')
    t.equal(target, `http://localhost:3000/api/auth/providers/${key}/callback`)
  }
})

t.test(
  'of another attempt neither the code counts, by PKCE, nor the ID token, by nonce',
  async (t) => {
    const { acme, app } = await twoProviders(t)
    const [victim, thief] = [aBrowser(app), aBrowser(app)]
    const attempt = async (jar: Jar) => {
      const { url = '' } = await begin(app, jar, { key: 'acme' })
      return { nonce: new URL(url).searchParams.get('nonce'), callback: await walk(url, 'nora') }
    }
    const sendNonce = (nonce: string | null) => {
      acme.alter.idToken = ({ header, claims }) => ({ header, claims: { ...claims, nonce } })
    }
    const stolen = await attempt(victim.jar)
    const own = await attempt(thief.jar)
    own.callback.params.set('code', stolen.callback.params.get('code') ?? '')
    sendNonce(own.nonce)
    t.equal((await comeBack(app, thief.jar, own.callback)).problem, 'provider-refused', 'the code')

    const next = await attempt(thief.jar)
    sendNonce(stolen.nonce)
    t.equal(
      (await comeBack(app, thief.jar, next.callback)).problem,
      'provider-refused',
      'the token'
    )
    t.equal(await thief.me(), undefined)
  }
)

t.test('three tabs do not disturb each other, and a fourth ends the oldest', async (t) => {
  const { app, start } = await twoProviders(t)
  const { jar } = aBrowser(app)
  const callbacks = []
  for (let tab = 0; tab < 4; tab++) callbacks.push(await start(jar))
  t.equal(flowCookies(jar).length, 3)
  const problems = []
  for (const callback of callbacks) problems.push((await comeBack(app, jar, callback)).problem)
  t.same(problems, ['flow-expired', undefined, undefined, undefined])
})

t.test('targets of other sites are replaced', async (t) => {
  const { app, start } = await twoProviders(t, { APP_URL: 'http://localhost:3000/app' })
  for (const target of [
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example',
    'http://localhost:30001/', // it begins as the origin of the portal does
    'http://user@localhost:3000/',
    'blob:http://localhost:3000/x',
    'javascript:alert(1)'
  ]) {
    const good = aBrowser(app)
    const callback = await start(good.jar, 'acme', { returnTo: target })
    const { location } = await comeBack(app, good.jar, callback)
    t.equal(location, 'http://localhost:3000/app', target)
    const bad = aBrowser(app)
    const cancelled = await start(bad.jar, 'acme', { errorTo: target })
    cancelled.params.delete('code')
    cancelled.params.set('error', 'access_denied')
    const refused = await comeBack(app, bad.jar, cancelled)
    t.equal(
      refused.location,
      'http://localhost:3000/app?problem=provider-refused&provider=acme',
      target
    )
  }
  const long = await begin(app, new Map(), { key: 'acme', returnTo: `/${'x'.repeat(299)}` })
  t.match(long.response.json(), { status: 400, errors: [{ pointer: '/returnTo' }] })
})

t.test('whatever an attempt begins with, its cookie is not too long', async (t) => {
  const { app } = await twoProviders(t)
  const longest = `/?${'x'.repeat(270)}`
  const both = { key: 'acme', returnTo: longest, errorTo: longest }
  const confirm = { ...both, intent: 'confirm' } as const
  const good = await begin(app, new Map(), { ...confirm, token: 'x'.repeat(64) })
  t.equal(good.response.statusCode, 200)
  for (const token of ['x'.repeat(65), 'x'.repeat(512), '"'.repeat(64)]) {
    const { response } = await begin(app, new Map(), { ...confirm, token })
    t.match(response.json(), { status: 400, errors: [{ pointer: '/token' }] })
  }
  const escaped = `/?${'\\'.repeat(200)}`
  const twice = await begin(app, new Map(), { ...both, returnTo: escaped })
  t.match(twice.response.json(), { status: 400, errors: [{ pointer: '/returnTo' }] })
})

t.test('a request for the headers of finish signs nobody in', async (t) => {
  const { app, start } = await twoProviders(t)
  const { jar } = aBrowser(app)
  const { params } = await start(jar)
  const head = await app.inject({
    method: 'HEAD',
    url: `/api/auth/providers/acme/finish?${params}`,
    headers: { cookie: cookieHeader(jar), 'sec-fetch-site': 'same-origin' }
  })
  t.equal(head.statusCode, 405)
  t.equal(head.headers['set-cookie'], undefined)
})

t.test('another site cannot lead a browser to finish', async (t) => {
  const { app, start } = await twoProviders(t)
  const { jar } = aBrowser(app)
  const { params } = await start(jar)
  for (const site of ['cross-site', 'same-site', 'none']) {
    const response = await app.inject({
      url: `/api/auth/providers/acme/finish?${params}`,
      headers: { cookie: cookieHeader(jar), 'sec-fetch-site': site }
    })
    t.match(response.json(), { status: 403, code: 'cross-site' }, site)
  }
})

t.test('unknown providers do not exist anywhere', async (t) => {
  const { app } = await twoProviders(t)
  for (const [method, url, payload] of [
    ['POST', '/api/auth/providers/nobody', { intent: 'sign-in' }],
    ['GET', '/api/auth/providers/nobody/callback', undefined],
    ['GET', '/api/auth/providers/nobody/finish?state=x', undefined]
  ] as const) {
    const response = await app.inject({ method, url, ...(payload && { payload }) })
    t.match(response.json(), { status: 404, code: 'unknown-provider' }, url)
  }
})
