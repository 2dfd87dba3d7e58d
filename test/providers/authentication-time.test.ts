import { eq, sql } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import t from 'tap'
import type { Test } from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Config } from '../../src/config/config.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { aUser, callerOf, password } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { cookieHeader } from '../support/providers/flow.ts'
import { portalOf } from '../support/providers/portal.ts'
import type { Token } from '../support/providers/tokens.ts'
import { aUserWithApp, letProofsAge } from '../support/second-factors.ts'

// When a user authenticated at a provider, which is not when the browser came back.

const again = { intent: 'reauthenticate' } as const
const seconds = (ago: number) => Math.floor(Date.now() / 1000) - ago
const nineHours = 9 * 3600
const isoOf = (time: number) => new Date(time * 1000).toISOString()
const newPassword = 'a new and long password'

/** `say` is what the ID tokens say from now on; undefined leaves the claim out. */
async function aPortal(t: Test, changes: Partial<Provider> = {}, config: Partial<Config> = {}) {
  const { acme, app } = await portalOf(t, { acme: { trustsEmail: 'claim', ...changes } }, config)
  const say = (at: number | undefined) => {
    acme.alter.idToken = ({ header, claims: { auth_time: _, ...claims } }) => ({
      header,
      claims: { ...claims, ...(at !== undefined && { auth_time: at }) }
    })
  }
  return { acme, app, say }
}

t.test('a session is as recent as the authentication at the provider', async (t) => {
  const { app, say } = await aPortal(t)
  const browser = aBrowser(app)
  const at = seconds(nineHours)
  say(at)
  t.equal((await browser.through('acme', 'nora')).problem, undefined, 'the sign-in is possible')
  t.equal((await browser.me())?.session.authenticatedAt, isoOf(at))
  for (const [method, url, body] of [
    ['POST', '/api/user/totp', undefined],
    ['PUT', '/api/user/password', { newPassword }],
    ['GET', '/api/user/export', undefined]
  ] as const) {
    const response = await browser.call(method, url, body)
    t.match(response.json(), { status: 403, code: 'reauthentication-required' }, url)
  }
  const now = aBrowser(app)
  say(seconds(0))
  await now.through('acme', 'nora')
  t.equal((await now.call('POST', '/api/user/totp')).statusCode, 200)
})

t.test('an authentication at a provider with a fast clock is not later than now', async (t) => {
  const { app, say } = await aPortal(t)
  const browser = aBrowser(app)
  for (const intent of ['sign-in', 'reauthenticate'] as const) {
    say(seconds(-30))
    t.equal((await browser.through('acme', 'nora', { intent })).problem, undefined, intent)
    const { authenticatedAt = '' } = (await browser.me())?.session ?? {}
    t.ok(Date.parse(authenticatedAt) <= Date.now() + 1000, `${intent}: ${authenticatedAt}`)
  }
})

t.test('two factors of hours ago at the provider are two factors, but not recent', async (t) => {
  const { app, say } = await aPortal(t, { assurance: { amr: ['mfa'], acr: [] } })
  const { user, cookie } = await aUserWithApp(app)
  await aBrowser(app, cookie).through('acme', 'lea', { intent: 'link' })
  const browser = aBrowser(app)
  say(seconds(nineHours))
  await browser.through('acme', 'lea')
  t.match(await browser.me(), { user: { id: user.id }, session: { assurance: 2 } })
  const codes = await browser.call('POST', '/api/user/recovery-codes')
  t.match(codes.json(), { code: 'reauthentication-required' })
})

t.test('one factor does not make two of hours ago at the provider recent', async (t) => {
  const { app, acme, say } = await aPortal(t, { assurance: { amr: ['mfa'], acr: [] } })
  const user = await confirmed(app.database, await aUser(app.database))
  const { cookie } = await callerOf(app, user)
  await aBrowser(app, cookie).through('acme', 'lea', { intent: 'link' })
  const browser = aBrowser(app)
  const at = seconds(nineHours)
  say(at)
  await browser.through('acme', 'lea')
  const proved = { session: { assurance: 2, authenticatedAt: isoOf(at) } }
  t.match(await browser.me(), proved, 'a user without a factor in the portal')

  const refused = await browser.call('POST', '/api/user/totp')
  t.match(refused.json(), { code: 'reauthentication-required' })
  t.same(refused.json().methods, ['provider'])
  const byPassword = await browser.call('POST', '/api/auth/reauthenticate', { password })
  t.match(byPassword.json(), { status: 403, code: 'reauthentication-required' })
  const withoutMfa = ({ header, claims: { amr: _, ...claims } }: Token): Token => ({
    header,
    claims: { ...claims, auth_time: seconds(0) }
  })
  acme.alter.idToken = withoutMfa
  t.equal((await browser.through('acme', 'lea', again)).problem, 'reauthentication-required')
  t.match(await browser.me(), proved)

  say(seconds(0))
  t.equal((await browser.through('acme', 'lea', again)).problem, undefined, 'with both factors')
  t.equal((await browser.call('POST', '/api/user/totp')).statusCode, 200)
})

t.test('a second step in the portal is an authentication now', async (t) => {
  const { app, say } = await aPortal(t)
  const { cookie, code } = await aUserWithApp(app)
  await aBrowser(app, cookie).through('acme', 'nora', { intent: 'link' })
  const browser = aBrowser(app)
  say(seconds(nineHours))
  await browser.through('acme', 'nora')
  const verified = await browser.call('POST', '/api/auth/login/verify', { code: await code() })
  const { createdAt, authenticatedAt } = verified.json().session
  t.equal(authenticatedAt, createdAt)
})

t.test('a provider that could say when, and does not, proves no recent one', async (t) => {
  const { app, say } = await aPortal(t)
  const browser = aBrowser(app)
  for (const at of [undefined, seconds(-120), 1e15]) {
    say(at)
    await browser.through('acme', 'nora')
    t.equal((await browser.me())?.session.authenticatedAt, '1970-01-01T00:00:00.000Z', `${at}`)
    t.equal((await browser.through('acme', 'nora', again)).problem, 'provider-refused', `${at}`)
  }
  t.equal((await browser.call('POST', '/api/user/totp')).statusCode, 403)
})

t.test('a kind that never says when is recent for users with nothing else', async (t) => {
  const { app, acme } = await aPortal(t, { kind: 'google' })
  acme.alter.idToken = ({ header, claims: { auth_time: _, ...claims } }) => ({
    header,
    claims: { ...claims, hd: 'example.com' }
  })
  const alone = aBrowser(app)
  await alone.through('acme', 'nora')
  t.equal((await alone.call('POST', '/api/user/totp')).statusCode, 200)
  t.equal((await alone.call('PUT', '/api/user/password', { newPassword })).statusCode, 204)
  const other = aBrowser(app)
  await other.through('acme', 'nora')
  t.match((await other.call('POST', '/api/user/totp')).json(), {
    code: 'reauthentication-required',
    methods: ['password']
  })
})

t.test('an authentication of before the flow is not a new one', async (t) => {
  const { app, say } = await aPortal(t)
  const browser = aBrowser(app)
  await browser.through('acme', 'nora')
  await letProofsAge(app, { id: (await browser.me())?.user.id ?? '' })
  say(seconds(90))
  t.equal((await browser.through('acme', 'nora', again)).problem, 'provider-refused')
  const at = seconds(30)
  say(at)
  t.equal((await browser.through('acme', 'nora', again)).problem, undefined)
  t.equal((await browser.me())?.session.authenticatedAt, isoOf(at), 'the time is the true one')
})

t.test('an older authentication does not replace a newer one', async (t) => {
  const { app, say } = await aPortal(t)
  const browser = aBrowser(app)
  await browser.through('acme', 'nora')
  const before = (await browser.me())?.session.authenticatedAt
  say(seconds(30))
  t.equal((await browser.through('acme', 'nora', again)).problem, undefined)
  t.equal((await browser.me())?.session.authenticatedAt, before)
})

t.test('a service learns when the user authenticated at the provider', async (t) => {
  const { app, say } = await aPortal(t, {}, { ASSERTION_AUDIENCES: ['reports'] })
  const browser = aBrowser(app)
  const at = seconds(nineHours)
  say(at)
  await browser.through('acme', 'nora')
  const headers = { cookie: cookieHeader(browser.jar), 'x-original-method': 'GET' }
  const check = await app.inject({ url: '/api/auth/check?audience=reports', headers })
  t.equal(decodeJwt(String(check.headers['portal-assertion'])).auth_time, at)
  const recent = await app.inject({ url: '/api/auth/check?maxAge=600', headers })
  t.match(recent.json(), { code: 'reauthentication-required' })
})

t.test('a logout under way ends the session that a provider has just renewed', async (t) => {
  const { app } = await aPortal(t)
  const user = await confirmed(app.database, await aUser(app.database, 'nora.field@example.com'))
  const browser = aBrowser(app)
  await browser.through('acme', 'nora')
  const before = cookieHeader(browser.jar)
  await browser.through('acme', 'nora', again)
  // The user has authenticated some minutes before the browser came back.
  await app.db
    .update(sessions)
    .set({ reauthenticatedAt: sql`now() - interval '5 minutes'` })
    .where(eq(sessions.userId, user.id))
  await app.db
    .update(users)
    .set({ updatedAt: sql`now() - interval '5 minutes'` })
    .where(eq(users.id, user.id))
  const headers = { cookie: before }
  await app.inject({ method: 'POST', url: '/api/auth/logout', headers })
  t.equal(await browser.me(), undefined)
})
