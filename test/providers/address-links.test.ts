import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { providerAccounts, unlinkedAccounts } from '../../db/schema/provider-accounts.ts'
import { pendingLogins } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { createRole } from '../../src/domain/access/roles.ts'
import type { Provider } from '../../src/domain/providers/provider.ts'
import { activityOf, aUser, callerOf, operator, password } from '../support/app.ts'
import { confirmed, mailsOf } from '../support/mails.ts'
import { plan, stateOf } from '../support/planned-deletions.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { portalOf } from '../support/providers/portal.ts'
import { anAppFor } from '../support/second-factors.ts'

const email = 'nora.field@example.com'

/** A portal whose provider speaks for every address, and a user with the one of Nora. */
async function aPortal(t: Test, provider: Partial<Provider> = {}) {
  const settings = { acme: { trustsEmail: 'claim', ...provider } } as const
  const { acme, app } = await portalOf(t, settings, { DELETION_GRACE_DAYS: 7 })
  const user = await confirmed(app.database, await aUser(app.database, email))
  const linked = () => app.db.$count(providerAccounts, eq(providerAccounts.userId, user.id))
  /** Lea gets the address of Nora at the provider. */
  const giveAddressToLea = () => {
    for (const { id, claims } of acme.people) if (id === 'lea') claims.email = email
  }
  return { acme, app, user, linked, giveAddressToLea }
}

t.test(
  'somebody else of the same provider with the address of a user gets no session',
  async (t) => {
    const { app, linked, giveAddressToLea } = await aPortal(t)
    await aBrowser(app).through('acme', 'nora')
    giveAddressToLea()
    const successor = aBrowser(app)
    t.equal((await successor.through('acme', 'lea')).problem, 'account-exists')
    t.equal(await successor.me(), undefined)
    t.equal(await linked(), 1)
  }
)

t.test('after the first account is unlinked, the address links its new owner', async (t) => {
  const { app, user, giveAddressToLea } = await aPortal(t)
  const nora = aBrowser(app)
  await nora.through('acme', 'nora')
  const { items } = (await nora.call('GET', '/api/user/providers')).json()
  await nora.call('DELETE', `/api/user/providers/${items[0].id}`)
  giveAddressToLea()
  const successor = aBrowser(app)
  t.equal((await successor.through('acme', 'lea')).problem, undefined)
  t.equal((await successor.me())?.user.id, user.id)
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'account-exists')
})

t.test('an address restores no account whose deletion is planned', async (t) => {
  const { app, user, linked } = await aPortal(t)
  await plan(await callerOf(app, user))
  for (const restore of [true, false]) {
    const browser = aBrowser(app)
    t.equal((await browser.through('acme', 'nora', { restore })).problem, 'account-exists')
    t.equal(await browser.me(), undefined)
  }
  t.match(await stateOf(app, user), { status: 'deactivated' })
  t.equal(await linked(), 0)
})

t.test('an account is linked with the session, not before the second factor', async (t) => {
  const role = { key: 'support', name: 'Support', permissions: [] }
  const { acme, app, user, linked } = await aPortal(t, {
    roles: { claim: 'groups', map: { staff: role.key } }
  })
  await createRole(app.db, operator, role)
  acme.alter.idToken = ({ header, claims }) => ({ header, claims: { ...claims, groups: 'staff' } })
  const mails = mailsOf(app)
  const { code } = await anAppFor(app, user)
  const browser = aBrowser(app)
  t.equal((await browser.through('acme', 'nora')).problem, 'second-factor-due')
  t.equal(await linked(), 0)
  t.notOk((await activityOf(app.database, user.id)).some(({ action }) => /link|grant/.test(action)))

  const done = await browser.call('POST', '/api/auth/login/verify', { code: await code() })
  t.match(done.json(), {
    user: { id: user.id, roles: [role.key, 'user'] },
    session: { amr: ['fed', 'otp', 'mfa'] }
  })
  t.equal(await linked(), 1)
  const notice = await mails.newest(email, 'provider-linked')
  t.match(notice.text, /Acme/)
  t.notMatch(notice.text, /revert-factors/, 'a link must not remove an older second factor')
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'second-factor-due')
})

t.test('a link that waits for a second factor is judged again when it is complete', async (t) => {
  for (const what of ['linked', 'renamed', 'unlinked'] as const) {
    const { app, user, linked } = await aPortal(t)
    const { code } = await anAppFor(app, user)
    const browser = aBrowser(app)
    t.equal((await browser.through('acme', 'nora')).problem, 'second-factor-due')
    const [row] = await app.db.select({ link: pendingLogins.link }).from(pendingLogins)
    const { issuer = '', subject = '' } = row?.link ?? {}
    if (what === 'linked') {
      const { id: userId } = await aUser(app.database)
      const account = { id: user.id, userId, provider: 'acme', issuer, subject }
      await app.db.transaction((tx) => tx.insert(providerAccounts).values(account))
    } else if (what === 'renamed') {
      const other = { email: 'x@example.com', emailNormalized: 'x@example.com' }
      await app.db.transaction((tx) => tx.update(users).set(other).where(eq(users.id, user.id)))
    } else {
      const account = { userId: user.id, issuer, subject }
      await app.db.transaction((tx) => tx.insert(unlinkedAccounts).values(account))
    }
    const late = await browser.call('POST', '/api/auth/login/verify', { code: await code() })
    t.match(late.json(), { code: 'login-expired' }, what)
    t.equal(await linked(), 0, what)
  }
})

t.test('an unlinked account signs in again only after its user links it', async (t) => {
  const { app, user, linked } = await aPortal(t)
  const [browser, owner] = [aBrowser(app), await callerOf(app, user)]
  await browser.through('acme', 'nora')
  const { items } = (await owner.call('GET', '/api/user/providers')).json()
  t.equal((await owner.call('DELETE', `/api/user/providers/${items[0].id}`)).statusCode, 204)
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'account-exists')
  t.equal(await linked(), 0)

  const own = aBrowser(app, owner.cookie)
  t.equal((await own.through('acme', 'nora', { intent: 'link' })).problem, undefined)
  const again = aBrowser(app)
  t.equal((await again.through('acme', 'nora')).problem, undefined)
  t.equal((await again.me())?.user.id, user.id)
})

t.test('the notice of an account that its address linked removes it, for good', async (t) => {
  const { app, linked } = await aPortal(t)
  const mails = mailsOf(app)
  const stranger = aBrowser(app)
  await stranger.through('acme', 'nora')
  const token = await mails.token(email, 'provider-linked')
  const reverted = await aBrowser(app).call('POST', '/api/auth/factors/revert', {
    token,
    newPassword: `${password} 2`
  })
  t.equal(reverted.statusCode, 204, reverted.body)
  t.equal(await linked(), 0)
  t.equal(await stranger.me(), undefined)
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'account-exists')
})

t.test('at the provider that a domain requires, an unlinked account returns', async (t) => {
  const { app, user } = await aPortal(t, {
    trustsEmail: 'domains',
    domains: ['example.com'],
    required: true
  })
  const browser = aBrowser(app)
  await browser.through('acme', 'nora')
  const [account] = await app.db.select().from(providerAccounts)
  const admin = await callerOf(app, await aUser(app.database, 'admin@elsewhere.example'), 'admin')
  const url = `/api/admin/users/${user.id}/providers/${account?.id}`
  t.equal((await admin.call('DELETE', url)).statusCode, 204)
  const again = aBrowser(app)
  t.equal((await again.through('acme', 'nora')).problem, undefined, 'there is no other way in')
  t.equal((await again.me())?.user.id, user.id)
})

t.test('the link in a notice counts while a thief has planned the deletion', async (t) => {
  const { app, user } = await aPortal(t)
  const mails = mailsOf(app)
  const thief = aBrowser(app)
  await thief.through('acme', 'nora')
  const token = await mails.token(email, 'provider-linked')
  await plan(await callerOf(app, user))
  const newPassword = `${password} 2`
  const revert = () =>
    aBrowser(app).call('POST', '/api/auth/factors/revert', { token, newPassword })
  t.equal((await revert()).statusCode, 204)
  t.match(await stateOf(app, user), { status: 'active', deleteAt: null })
  t.match((await revert()).json(), { code: 'invalid-token' })
})
