import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { users } from '../../db/schema/users.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { activityOf, aUser, password } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { portalOf } from '../support/providers/portal.ts'

const email = 'nora.field@example.com'
const authoritative = { trustsEmail: 'claim' } as const
const claimed = { trustsEmail: 'never' } as const

/** A portal with one provider, at which Nora signs in. */
async function aPortal(
  t: Test,
  provider: Partial<Provider> = {},
  config: Parameters<typeof portalOf>[2] = {}
) {
  const { app, acme } = await portalOf(t, { acme: provider }, config)
  const user = async () =>
    (await app.db.select().from(users).where(eq(users.emailNormalized, email))).at(0)
  return {
    acme,
    app,
    browser: aBrowser(app),
    user,
    accounts: () => app.db.$count(providerAccounts)
  }
}

t.test('somebody new with an address that the provider speaks for gets an account', async (t) => {
  const { app, browser, user } = await aPortal(t, authoritative)
  const { location, problem } = await browser.through('acme', 'nora', { returnTo: '/welcome' })
  t.equal(problem, undefined)
  t.equal(location, 'http://localhost:3000/welcome')
  const me = await browser.me()
  t.match(me, {
    user: { email, emailVerified: true, name: 'Nora Field', roles: ['user'] },
    session: { amr: ['fed'], assurance: 1 }
  })
  t.equal((await user())?.passwordHash, null)
  const records = await activityOf(app.database, me?.user.id ?? '')
  t.match(
    records.find(({ action }) => action === 'auth.register'),
    { details: { provider: 'acme' } }
  )
})

t.test('somebody known is found by issuer and subject, whatever the address is now', async (t) => {
  const { acme, browser, app } = await aPortal(t, authoritative)
  await browser.through('acme', 'nora')
  const first = await browser.me()
  const [nora] = acme.people
  if (nora) nora.claims.email = 'somebody.else@example.com'
  const other = aBrowser(app)
  await other.through('acme', 'nora')
  t.equal((await other.me())?.user.id, first?.user.id)
  t.equal((await other.me())?.user.email, email)
})

t.test('a deactivated user gets no session, known or new', async (t) => {
  const { app, browser, user } = await aPortal(t, authoritative)
  const { id } = await aUser(app.database, email)
  await confirmed(app.database, { id })
  const deactivate = { status: 'deactivated' } as const
  await app.db.transaction((tx) => tx.update(users).set(deactivate).where(eq(users.id, id)))
  t.equal((await browser.through('acme', 'nora')).problem, 'sign-in-refused')
  t.equal(await browser.me(), undefined)

  const active = { status: 'active' } as const
  await app.db.transaction((tx) => tx.update(users).set(active).where(eq(users.id, id)))
  t.equal((await browser.through('acme', 'nora')).problem, undefined)
  await app.db.transaction((tx) => tx.update(users).set(deactivate).where(eq(users.id, id)))
  const again = aBrowser(app)
  t.equal((await again.through('acme', 'nora')).problem, 'sign-in-refused')
  t.equal(await again.me(), undefined)
  t.equal((await user())?.status, 'deactivated')
})

t.test('a confirmed account is linked by an address that the provider speaks for', async (t) => {
  const { app, browser } = await aPortal(t, authoritative)
  const mails = mailsOf(app)
  const owner = await confirmed(app.database, await aUser(app.database, email))
  t.equal((await browser.through('acme', 'nora')).problem, undefined)
  t.equal((await browser.me())?.user.id, owner.id)
  t.match((await mails.newest(email, 'provider-linked')).text, /Acme/)
})

t.test('an account whose address is not confirmed is never linked by it', async (t) => {
  for (const mode of ['off', 'optional', 'required'] as const) {
    const { app, browser, accounts } = await aPortal(t, authoritative, { EMAIL_VERIFICATION: mode })
    await aUser(app.database, email) // by a stranger
    t.equal((await browser.through('acme', 'nora')).problem, 'account-exists', mode)
    t.equal(await browser.me(), undefined)
    t.equal(await accounts(), 0)
  }
})

t.test('a registration that waits does not keep its owner out', async (t) => {
  const { app, browser } = await aPortal(t, authoritative, { EMAIL_VERIFICATION: 'required' })
  const mails = mailsOf(app)
  await browser.call('POST', '/api/auth/register', { email, password, name: 'Stranger' })
  const token = await mails.token(email, 'confirm')
  t.equal((await browser.through('acme', 'nora')).problem, undefined)
  t.match(await browser.me(), { user: { name: 'Nora Field' } })
  const late = await browser.call('POST', '/api/auth/confirm', { token, password })
  t.match(late.json(), { code: 'invalid-token' })
})

t.test('an address that is only claimed never opens an account', async (t) => {
  const { app, browser, accounts } = await aPortal(t, claimed)
  await confirmed(app.database, await aUser(app.database, email))
  t.equal((await browser.through('acme', 'nora')).problem, 'account-exists')
  t.equal(await browser.me(), undefined)
  t.equal(await accounts(), 0)
})

t.test('a claimed address is confirmed with a link and the same provider account', async (t) => {
  const { app, acme, browser, user } = await aPortal(t, claimed)
  const mails = mailsOf(app)
  t.equal((await browser.through('acme', 'nora')).problem, 'email-unverified')
  t.equal(await browser.me(), undefined)
  t.equal(await user(), undefined)
  const mail = await mails.newest(email, 'confirm')
  t.match(mail.text, /sign in with the same\s+account again/)
  t.match(mail.text, /[?&]provider=acme\b/)
  const token = await mails.token(email, 'confirm')

  const stranger = aBrowser(app)
  const refused = await stranger.through('acme', 'lea', { intent: 'confirm', token })
  t.equal(refused.problem, 'provider-refused')
  const withPassword = await stranger.call('POST', '/api/auth/confirm', { token, password })
  t.match(withPassword.json(), { code: 'invalid-credentials' })
  t.equal(await user(), undefined)

  const done = await browser.through('acme', 'nora', { intent: 'confirm', token })
  t.equal(done.problem, undefined)
  t.match(await browser.me(), { user: { email, emailVerified: true } })
  t.equal(
    (await browser.through('acme', 'nora', { intent: 'confirm', token })).problem,
    'invalid-token'
  )
  t.ok(acme.requests.includes('/token'))
})

t.test('the same subject at another provider does not confirm a claimed address', async (t) => {
  // Nora has the same subject at both.
  const { app } = await portalOf(t, { acme: claimed, beta: claimed })
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'email-unverified')
  const token = await mailsOf(app).token(email, 'confirm')
  const refused = await aBrowser(app).through('beta', 'nora', { intent: 'confirm', token })
  t.equal(refused.problem, 'provider-refused')
  t.equal(await app.db.$count(providerAccounts), 0)
})

t.test('without mail, a claimed address makes an unconfirmed account', async (t) => {
  const { browser } = await aPortal(t, claimed, { sendsMail: false })
  t.equal((await browser.through('acme', 'nora')).problem, undefined)
  t.match(await browser.me(), { user: { email, emailVerified: false } })
})

t.test('without an address that counts, there is no account', async (t) => {
  const { browser, accounts } = await aPortal(t, authoritative)
  t.equal((await browser.through('acme', 'tom')).problem, 'provider-email-missing')
  t.equal(await accounts(), 0)
})

t.test('who gets an account is decided by the configuration', async (t) => {
  for (const [creates, REGISTRATION, problem] of [
    ['registration', 'closed', 'registration-closed'],
    ['registration', 'open', undefined],
    ['always', 'closed', undefined],
    ['never', 'open', 'registration-closed']
  ] as const) {
    const { browser } = await aPortal(t, { ...authoritative, creates }, { REGISTRATION })
    t.equal((await browser.through('acme', 'nora')).problem, problem, `${creates} ${REGISTRATION}`)
  }
})

t.test('one provider account signs in twice at once, and there is one user', async (t) => {
  const { app, accounts } = await aPortal(t, authoritative)
  const browsers = [aBrowser(app), aBrowser(app), aBrowser(app)]
  const ends = await Promise.all(browsers.map((each) => each.through('acme', 'nora')))
  t.same(
    ends.map(({ problem }) => problem),
    [undefined, undefined, undefined]
  )
  t.equal(await accounts(), 1)
  const ids = await Promise.all(browsers.map(async (each) => (await each.me())?.user.id))
  t.equal(new Set(ids).size, 1)
})

t.test('a user without a password confirms another address with the provider', async (t) => {
  const { app, browser, user } = await aPortal(t, authoritative, { EMAIL_VERIFICATION: 'required' })
  const mails = mailsOf(app)
  await browser.through('acme', 'nora')
  const { id = '' } = (await user()) ?? {}
  const renamed = 'nora@elsewhere.example'
  const change = { email: renamed, emailNormalized: renamed, emailVerifiedAt: null }
  await app.db.transaction((tx) => tx.update(users).set(change).where(eq(users.id, id)))

  const again = aBrowser(app)
  t.equal((await again.through('acme', 'nora')).problem, 'email-unverified')
  t.match((await mails.newest(renamed, 'confirm')).text, /[?&]provider=acme\b/)
  const token = await mails.token(renamed, 'confirm')
  const confirm = { intent: 'confirm', token } as const
  t.equal((await aBrowser(app).through('acme', 'lea', confirm)).problem, 'provider-refused')
  t.equal((await again.through('acme', 'nora', confirm)).problem, undefined)
  t.match(await again.me(), { user: { id, email: renamed, emailVerified: true } })
  t.equal((await again.through('acme', 'nora', confirm)).problem, 'invalid-token', 'only once')
})
