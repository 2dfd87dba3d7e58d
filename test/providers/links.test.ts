import { eq } from 'drizzle-orm'
import t from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { aCaller, activityOf, callerOf, ownApp, password } from '../support/app.ts'
import { aConfirmedCaller, mailsOf } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { begin, comeBack } from '../support/providers/flow.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { walk } from '../support/providers/walk.ts'
import { letProofsAge } from '../support/second-factors.ts'
import { aPortal, link } from './linking.ts'

t.test('a user links an account of any address, sees it, and signs in with it', async (t) => {
  const { app, caller } = await aPortal(t)
  const { user, browser } = await caller()
  const mails = mailsOf(app)
  const done = await browser.through('acme', 'tom', link)
  t.equal(done.location, 'http://localhost:3000/linked')
  const list = await browser.call('GET', '/api/user/providers')
  t.match(list.json(), {
    items: [{ provider: 'acme', name: 'Acme', email: null }],
    nextCursor: null
  })
  t.match(await activityOf(app.database, user.id), [
    { action: 'user.provider-link', actorId: user.id, details: { provider: 'acme' } }
  ])
  t.match((await mails.newest(user.email, 'provider-linked')).text, /revert-factors\?token=/)
  const other = aBrowser(app)
  t.equal((await other.through('acme', 'tom')).problem, undefined)
  t.equal((await other.me())?.user.id, user.id)
  t.equal((await browser.through('acme', 'tom', link)).problem, undefined, 'again, without effect')
  t.equal(await app.db.$count(providerAccounts), 1)
})

t.test('linking takes a session, a recent authentication and a confirmed address', async (t) => {
  const { app, caller } = await aPortal(t)
  const nobody = await begin(app, new Map(), { key: 'acme', intent: 'link' })
  t.match(nobody.response.json(), { status: 401, code: 'unauthenticated' })

  const { user, browser } = await caller()
  await letProofsAge(app, user)
  const stale = await begin(app, browser.jar, { key: 'acme', intent: 'link' })
  t.match(stale.response.json(), { code: 'reauthentication-required', methods: ['password'] })
})

t.test('where mail is delivered, an address must be confirmed to link an account', async (t) => {
  const { app } = await aPortal(t, { MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com' })
  const { cookie } = await aCaller(app)
  const refused = await begin(app, aBrowser(app, cookie).jar, { key: 'acme', intent: 'link' })
  t.match(refused.response.json(), { status: 403, code: 'email-unverified' })
})

t.test('a link counts in the session that began it, and as long as that is fresh', async (t) => {
  const { app, caller } = await aPortal(t)
  for (const [what, change, problem] of [
    ['ended', 'end', 'flow-expired'],
    ['not fresh any more', 'age', 'reauthentication-required'],
    ["another user's", 'swap', 'flow-expired'],
    ['another one of the same user', 'again', 'flow-expired']
  ] as const) {
    const { user, browser } = await caller()
    const { url = '' } = await begin(app, browser.jar, { key: 'acme', intent: 'link' })
    const callback = await walk(url, 'tom')
    if (change === 'end') await browser.call('POST', '/api/auth/logout')
    if (change === 'age') await letProofsAge(app, user)
    if (change === 'swap' || change === 'again') {
      const other =
        change === 'swap' ? await aConfirmedCaller(app) : await callerOf(app, { ...user })
      browser.jar.set('portal_session', other.cookie.replace('portal_session=', ''))
    }
    t.equal((await comeBack(app, browser.jar, callback)).problem, problem, what)
  }
  t.equal(await app.db.$count(providerAccounts), 0)
})

t.test('one provider account belongs to one user, also at the same moment', async (t) => {
  const { app, caller } = await aPortal(t)
  const people = await Promise.all([caller(), caller(), caller()])
  const ends = await Promise.all(people.map(({ browser }) => browser.through('acme', 'nora', link)))
  t.same(ends.map(({ problem }) => problem ?? 'linked').sort(), [
    'linked',
    'provider-account-taken',
    'provider-account-taken'
  ])
  t.equal(await app.db.$count(providerAccounts), 1)
})

t.test('a user has at most ten linked accounts', async (t) => {
  const { acme, app, caller } = await aPortal(t)
  const { user, browser } = await caller()
  await app.db.transaction((tx) =>
    tx.insert(providerAccounts).values(
      Array.from({ length: 10 }, (_, i) => ({
        id: `0199b0a2-7c1e-7d3a-8f52-00000000000${i.toString(16)}`,
        userId: user.id,
        provider: 'acme',
        issuer: acme.issuer,
        subject: `s${i}`
      }))
    )
  )
  t.equal((await browser.through('acme', 'nora', link)).problem, 'too-many-providers')
})

t.test('unlinking ends the other sessions that began there, and keeps this one', async (t) => {
  const { app, caller } = await aPortal(t)
  const { user, browser } = await caller()
  const mails = mailsOf(app)
  await browser.through('acme', 'nora', link)
  const [elsewhere, withPassword] = [aBrowser(app), await callerOf(app, user)]
  await elsewhere.through('acme', 'nora')
  t.ok(await elsewhere.me())
  const { items } = (await browser.call('GET', '/api/user/providers')).json()
  const unlink = () => browser.call('DELETE', `/api/user/providers/${items[0].id}`)
  await letProofsAge(app, user)
  t.match((await unlink()).json(), { code: 'reauthentication-required' })
  await browser.call('POST', '/api/auth/reauthenticate', { password })
  // The cookie is new.
  const fresh = await callerOf(app, user)
  const done = await fresh.call('DELETE', `/api/user/providers/${items[0].id}`)
  t.equal(done.statusCode, 204)
  t.equal(await elsewhere.me(), undefined)
  t.equal((await withPassword.call('GET', '/api/auth/me')).statusCode, 200)
  const [ended] = await app.db.select().from(sessions).where(eq(sessions.revokeReason, 'provider'))
  t.equal(ended?.userId, user.id)
  t.ok(await mails.newest(user.email, 'provider-unlinked'))
  t.match((await fresh.call('DELETE', `/api/user/providers/${items[0].id}`)).json(), {
    status: 404,
    code: 'provider-account-not-found'
  })
})

t.test('nobody unlinks the account of somebody else', async (t) => {
  const { app, caller } = await aPortal(t)
  const { browser } = await caller()
  await browser.through('acme', 'nora', link)
  const { items } = (await browser.call('GET', '/api/user/providers')).json()
  const { call } = await aConfirmedCaller(app)
  t.equal((await call('DELETE', `/api/user/providers/${items[0].id}`)).statusCode, 404)
  t.equal(await app.db.$count(providerAccounts), 1)
})

t.test('the last way to sign in stays, also when two are removed at once', async (t) => {
  const { acme, app } = await aPortal(t)
  const browser = aBrowser(app)
  await browser.through('acme', 'nora') // an account without a password
  t.match((await browser.call('GET', '/api/user/security')).json(), { hasPassword: false })
  const only = (await browser.call('GET', '/api/user/providers')).json().items[0].id as string
  t.match((await browser.call('DELETE', `/api/user/providers/${only}`)).json(), {
    status: 409,
    code: 'last-sign-in-method'
  })
  t.equal((await browser.through('acme', 'lea', link)).problem, undefined)
  const { items } = (await browser.call('GET', '/api/user/providers')).json() as {
    items: { id: string }[]
  }
  t.equal(items.length, 2)
  const ends = await Promise.all(
    items.map(({ id }) => browser.call('DELETE', `/api/user/providers/${id}`))
  )
  t.same(ends.map(({ statusCode }) => statusCode).sort(), [204, 409])
  t.equal(await app.db.$count(providerAccounts), 1)
  t.ok(acme)
})

t.test('an operator unlinks an account of a user in the admin API', async (t) => {
  const { app, caller } = await aPortal(t)
  const { user, browser } = await caller()
  await browser.through('acme', 'nora', link)
  const admin = await aCaller(app, 'admin')
  const { providers } = (await admin.call('GET', `/api/admin/users/${user.id}/factors`)).json()
  t.match(providers, [{ provider: 'acme', name: 'Acme' }])
  const url = `/api/admin/users/${user.id}/providers/${providers[0].id}`
  const other = await aCaller(app)
  t.match((await other.call('DELETE', url)).json(), { code: 'permission-denied' })
  t.equal((await admin.call('DELETE', url)).statusCode, 204)
  t.match((await admin.call('DELETE', url)).json(), { code: 'provider-account-not-found' })
  t.equal(await app.db.$count(providerAccounts), 0)
})

t.test(
  'a provider that can ask lets users choose an account to link, and after a sign-out',
  async (t) => {
    const acme = await startOidcProvider(t)
    acme.alter.discovery = (body) => ({ ...body, prompt_values_supported: ['select_account'] })
    const app = await ownApp(t, { providers: [configured.oidc(acme, { trustsEmail: 'claim' })] })
    const { user, cookie } = await aConfirmedCaller(app)
    const browser = aBrowser(app, cookie)
    const promptOf = async (intent: 'link' | 'sign-in') => {
      const { url = '' } = await begin(app, browser.jar, { key: 'acme', intent })
      return new URL(url).searchParams.get('prompt')
    }
    t.equal(await promptOf('link'), 'select_account')
    t.equal(await promptOf('sign-in'), null)
    const out = await browser.call('POST', '/api/auth/logout')
    const left = [out.headers['set-cookie']].flat().find((each) => each?.includes('portal_left='))
    browser.jar.set('portal_left', /=([^;]+)/.exec(left ?? '')?.[1] ?? '')
    t.equal(await promptOf('sign-in'), 'select_account')
    const again = await browser.call('POST', '/api/auth/login', { email: user.email, password })
    const cleared = [again.headers['set-cookie']]
      .flat()
      .filter((each) => /_left=;/.test(each ?? ''))
    t.match(cleared, [/Max-Age=0/], 'until somebody signs in')
  }
)

t.test('a provider that does not say that it can ask is not asked to', async (t) => {
  const { app, caller } = await aPortal(t)
  const { browser } = await caller()
  const { url = '' } = await begin(app, browser.jar, { key: 'acme', intent: 'link' })
  t.equal(new URL(url).searchParams.get('prompt'), null)
})
