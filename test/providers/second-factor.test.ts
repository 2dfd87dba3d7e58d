import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { aRole, operator, password, ownApp } from '../support/app.ts'
import { keyCaller } from '../support/keys.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { startGithub } from '../support/providers/github.ts'
import { portalOf } from '../support/providers/portal.ts'
import { aRequiringRole, aUserWithApp, cookieSet, letProofsAge } from '../support/second-factors.ts'

async function aPortal(t: Test, changes: Partial<Provider> = {}) {
  return portalOf(t, { acme: { trustsEmail: 'claim', ...changes } })
}
const link = { intent: 'link' } as const
const again = { intent: 'reauthenticate', returnTo: '/done' } as const

t.test('an account with a second factor gets no session before it', async (t) => {
  const { app } = await aPortal(t, { sessionSeconds: 900 })
  const { user, cookie, code } = await aUserWithApp(app)
  await aBrowser(app, cookie).through('acme', 'nora', link)

  const browser = aBrowser(app)
  t.equal((await browser.call('GET', '/api/auth/login/pending')).json().code, 'login-expired')
  const due = await browser.through('acme', 'nora', { errorTo: '/sign-in?x=1' })
  t.equal(due.location, 'http://localhost:3000/sign-in?x=1&problem=second-factor-due&provider=acme')
  t.equal(await browser.me(), undefined)
  const pending = await browser.call('GET', '/api/auth/login/pending')
  t.match(pending.json(), { next: 'second-factor', methods: ['totp', 'recovery-code'] })
  const done = await browser.call('POST', '/api/auth/login/verify', { code: await code() })
  t.match(done.json(), {
    user: { id: user.id },
    session: { amr: ['fed', 'otp', 'mfa'], assurance: 2 }
  })
  const { createdAt, expiresAt } = done.json().session
  t.equal(Date.parse(expiresAt) - Date.parse(createdAt), 900_000, 'sessionSeconds bounds it')
  const [row] = await app.db
    .select({ from: sessions.providerAccountId })
    .from(sessions)
    .where(eq(sessions.id, done.json().session.id))
  t.ok(row?.from)
})

t.test(
  'a sign-in that stops at the second factor is reported, but not from a known browser',
  async (t) => {
    const { app } = await aPortal(t)
    const { cookie, code } = await aUserWithApp(app)
    const own = aBrowser(app, cookie)
    await own.through('acme', 'nora', link)
    const waiting = () => app.db.$count(outbox, eq(outbox.kind, 'sign-in-unfinished'))
    const before = await waiting()
    const known = aBrowser(app)
    t.equal((await known.through('acme', 'nora')).problem, 'second-factor-due')
    t.equal(await waiting(), before + 1)
    const done = await known.call('POST', '/api/auth/login/verify', { code: await code() })
    const device = cookieSet(done, 'device') ?? ''
    known.jar.set('portal_device', device.replace('portal_device=', ''))
    await app.db.delete(outbox)
    t.equal((await known.through('acme', 'nora')).problem, 'second-factor-due')
    t.equal(await waiting(), 0)
  }
)

t.test('two factors at the provider count only where the configuration says so', async (t) => {
  for (const [assurance, amr, level] of [
    [{ amr: [], acr: [] }, ['fed'], 1],
    [{ amr: ['mfa'], acr: [] }, ['fed', 'mfa'], 2],
    [{ amr: ['hwk'], acr: ['phr'] }, ['fed'], 1]
  ] as const) {
    const { app } = await aPortal(t, { assurance })
    const browser = aBrowser(app)
    await browser.through('acme', 'lea') // with mfa
    t.match(await browser.me(), { session: { amr, assurance: level } })
    const other = aBrowser(app)
    await other.through('acme', 'nora')
    t.match(await other.me(), { session: { amr: ['fed'], assurance: 1 } })
  }
})

t.test('two factors at the provider give no key a role that requires one here', async (t) => {
  const { app } = await aPortal(t, { assurance: { amr: ['mfa'], acr: [] } })
  const browser = aBrowser(app)
  await browser.through('acme', 'lea')
  const userId = (await browser.me())?.user.id ?? ''
  const creator = await aRole(app.database, 'keys:create')
  const strict = await aRequiringRole(app, 'users:read')
  for (const role of [creator, strict]) await grantRole(app.db, operator, { userId, role })
  const create = (permissions?: string[]) =>
    browser.call('POST', '/api/user/keys', { name: 'A key', ...(permissions && { permissions }) })
  t.match((await create(['users:read'])).json(), {
    status: 403,
    code: 'exceeds-own-permissions',
    detail: /Set up an authenticator app or a passkey first/
  })
  for (const permissions of [['keys:create'], undefined]) {
    const { secret } = (await create(permissions)).json() as { secret: string }
    const { check } = keyCaller(app, secret)
    t.equal((await check('&permission=keys:create')).statusCode, 204)
    t.equal((await check('&permission=users:read')).statusCode, 403)
  }
})

t.test('where two factors of the provider count, no other one is asked for', async (t) => {
  const { app } = await aPortal(t, { assurance: { amr: ['mfa'], acr: [] } })
  const { user, cookie } = await aUserWithApp(app)
  await aBrowser(app, cookie).through('acme', 'lea', link)
  const browser = aBrowser(app)
  t.equal((await browser.through('acme', 'lea')).problem, undefined)
  t.match(await browser.me(), { user: { id: user.id }, session: { assurance: 2 } })
})

t.test('a user without a password authenticates again at the provider', async (t) => {
  const { acme, app } = await aPortal(t)
  const browser = aBrowser(app)
  await browser.through('acme', 'nora')
  const me = await browser.me()
  const own = { id: me?.user.id ?? '' }
  await letProofsAge(app, own)
  const refused = await browser.call('POST', '/api/user/totp')
  t.match(refused.json(), {
    code: 'reauthentication-required',
    methods: ['provider'],
    providers: [{ key: 'acme', kind: 'oidc', name: 'Acme' }]
  })

  for (const [what, at] of [
    ['eleven minutes ago', Date.now() / 1000 - 660],
    ['in two minutes', Date.now() / 1000 + 120]
  ] as const) {
    acme.alter.idToken = ({ header, claims }) => ({ header, claims: { ...claims, auth_time: at } })
    t.equal((await browser.through('acme', 'nora', again)).problem, 'provider-refused', what)
  }
  delete acme.alter.idToken
  t.equal((await browser.through('acme', 'lea', again)).problem, 'provider-refused', 'another one')
  t.equal((await browser.call('POST', '/api/user/totp')).statusCode, 403)

  const before = new Map(browser.jar)
  t.equal((await browser.through('acme', 'nora', again)).location, 'http://localhost:3000/done')
  t.not(browser.jar.get('portal_session'), before.get('portal_session'), 'the secret is new')
  t.equal((await browser.call('POST', '/api/user/totp')).statusCode, 200)
})

t.test('a provider that does not say when counts only for users with nothing else', async (t) => {
  const github = await startGithub(t)
  const app = await ownApp(t, { providers: [configured.github(github)] })
  app.context.mail = undefined // so that a claimed address makes an account
  const browser = aBrowser(app)
  await browser.through('github')
  const id = (await browser.me())?.user.id ?? ''
  await letProofsAge(app, { id })
  t.match((await browser.call('POST', '/api/user/totp')).json(), { methods: ['provider'] })
  t.equal((await browser.through('github', undefined, again)).problem, undefined)
  t.equal((await browser.call('POST', '/api/user/totp')).statusCode, 200)

  const newPassword = 'a new and long password'
  const set = await browser.call('PUT', '/api/user/password', { newPassword })
  t.equal(set.statusCode, 204, set.body)
})

t.test('one factor does not refresh a session that has proved two', async (t) => {
  const { app } = await aPortal(t)
  const { user, cookie } = await aUserWithApp(app)
  const browser = aBrowser(app, cookie)
  await browser.through('acme', 'nora', link)
  await letProofsAge(app, user)
  const refused = await browser.call('POST', '/api/user/recovery-codes')
  t.match(refused.json(), { code: 'reauthentication-required' })
  t.notOk(refused.json().methods?.includes('provider'))
  t.equal((await browser.through('acme', 'nora', again)).problem, 'reauthentication-required')
})

t.test('sessions of a provider last as long as it says', async (t) => {
  const { app } = await aPortal(t, { sessionSeconds: 3600 })
  const browser = aBrowser(app)
  await browser.through('acme', 'nora')
  const me = await browser.me()
  const [row] = await app.db
    .select({ createdAt: sessions.createdAt, expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(eq(sessions.id, me?.session.id ?? ''))
  t.equal(Number(row?.expiresAt) - Number(row?.createdAt), 3_600_000)
})

t.test('unlinking ends a sign-in that waits for its second factor', async (t) => {
  const { app } = await aPortal(t)
  const { cookie, code } = await aUserWithApp(app)
  const own = aBrowser(app, cookie)
  await own.through('acme', 'nora', link)
  const thief = aBrowser(app)
  t.equal((await thief.through('acme', 'nora')).problem, 'second-factor-due')
  const { items } = (await own.call('GET', '/api/user/providers')).json()
  t.equal((await own.call('DELETE', `/api/user/providers/${items[0].id}`)).statusCode, 204)
  const late = await thief.call('POST', '/api/auth/login/verify', { code: await code() })
  t.match(late.json(), { code: 'login-expired' })
  t.ok(password && users)
})
