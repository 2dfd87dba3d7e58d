import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { outbox } from '../../db/schema/outbox.ts'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { apiKeys } from '../../db/schema/services.ts'
import { users } from '../../db/schema/users.ts'
import { activityOf, aRole, aUser, callerOf } from '../support/app.ts'
import { mailsOf } from '../support/mails.ts'
import { plan } from '../support/planned-deletions.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { portalOf } from '../support/providers/portal.ts'
import { anAppFor } from '../support/second-factors.ts'

const email = 'nora.field@example.com'

/** `staff` speaks for example.com and is required; `other` is any provider. */
async function aPortal(t: Test, trustsEmail: 'claim' | 'never', sendsMail = true) {
  return portalOf(
    t,
    {
      staff: { domains: ['example.com'], trustsEmail: 'domains', required: true },
      other: { name: 'Other', trustsEmail }
    },
    { DELETION_GRACE_DAYS: 7, sendsMail }
  )
}

t.test('no other provider creates an account with an address of a required domain', async (t) => {
  for (const [trustsEmail, sendsMail] of [
    ['never', false],
    ['never', true],
    ['claim', true]
  ] as const) {
    const { app } = await aPortal(t, trustsEmail, sendsMail)
    const stranger = aBrowser(app)
    t.equal((await stranger.through('other', 'nora')).problem, 'provider-required')
    t.equal(await stranger.me(), undefined)
    t.equal(await app.db.$count(users), 0)
    t.equal(await app.db.$count(outbox), 0, 'and no mail leads to the same refusal')

    const owner = aBrowser(app)
    t.equal((await owner.through('staff', 'nora')).problem, undefined)
    t.match(await owner.me(), { user: { email, emailVerified: true } })
  }
})

t.test(
  'the directory of a domain gives an unconfirmed account to its owner, emptied',
  async (t) => {
    for (const planned of [false, true]) {
      const { app } = await aPortal(t, 'never')
      const role = await aRole(app.database, 'keys:create')
      const [staff] = app.config.providers
      if (staff) staff.required = false
      const { id } = await aUser(app.database, email) // by a stranger, before it was required
      const stranger = await callerOf(app, { id, email }, role)
      const linked = aBrowser(app, stranger.cookie)
      t.equal((await linked.through('other', 'lea', { intent: 'link' })).problem, undefined)
      const created = await stranger.call('POST', '/api/user/keys', { name: 'A key' })
      t.equal(created.statusCode, 201, created.body)
      if (planned) await plan(stranger)
      else await anAppFor(app, { id })
      if (staff) staff.required = true

      const owner = aBrowser(app)
      t.equal((await owner.through('staff', 'nora')).problem, undefined)
      const { text } = await mailsOf(app).newest(email, 'password-changed')
      t.match(
        text.replace(/\s+/g, ' '),
        /were removed with it: .*Other\..* were revoked with it: 1\./
      )
      t.match(await owner.me(), { user: { id, email, emailVerified: true } })
      t.equal((await stranger.call('GET', '/api/auth/me')).statusCode, 401)
      const [row] = await app.db.select().from(users).where(eq(users.id, id))
      t.match(row, { passwordHash: null, secondFactor: false, status: 'active', deleteAt: null })
      const accounts = await app.db.select().from(providerAccounts)
      t.match(accounts, [{ userId: id, provider: 'staff' }])
      t.equal(accounts.length, 1)
      const keys = await app.db.select().from(apiKeys)
      t.notOk(
        keys.some(({ revokedAt }) => revokedAt === null),
        'no key is left'
      )
      t.match(
        (await activityOf(app.database, id)).find(({ action }) => action === 'user.email-verify'),
        { details: { provider: 'staff' } }
      )
      const again = aBrowser(app)
      await again.through('other', 'lea')
      t.not((await again.me())?.user.id, id, 'the account of the stranger leads elsewhere')
    }
  }
)

t.test(
  'the directory of a domain changes nothing about confirmed accounts and other addresses',
  async (t) => {
    const { app, staff } = await aPortal(t, 'never')
    const { id } = await aUser(app.database, 'nora@elsewhere.example')
    const [nora] = staff.people
    if (nora) nora.claims.email = 'nora@elsewhere.example'
    t.equal((await aBrowser(app).through('staff', 'nora')).problem, 'account-exists')
    const [row] = await app.db.select().from(users).where(eq(users.id, id))
    t.match(row, { emailVerifiedAt: null })
    t.ok(row?.passwordHash)
  }
)

t.test('the directory of a domain confirms the address of an account of its own', async (t) => {
  const { app } = await aPortal(t, 'never')
  const [provider] = app.config.providers
  if (provider) provider.required = false
  const { id } = await aUser(app.database, email)
  const role = await aRole(app.database, 'keys:create')
  const caller = await callerOf(app, { id, email }, role)
  const linked = aBrowser(app, caller.cookie)
  t.equal((await linked.through('staff', 'nora', { intent: 'link' })).problem, undefined)
  const created = await caller.call('POST', '/api/user/keys', { name: 'A key' })
  t.equal(created.statusCode, 201, created.body)
  const { code } = await anAppFor(app, { id })
  const before = await app.db.select().from(providerAccounts)
  if (provider) provider.required = true

  // Its user has signed out at the directory since the ID token was issued.
  await app.db.update(providerAccounts).set({ loggedOutAt: sql`now() + interval '1 hour'` })
  t.equal((await aBrowser(app).through('staff', 'nora')).problem, 'provider-refused')
  const rowOf = async () => (await app.db.select().from(users).where(eq(users.id, id)))[0]
  t.match(await rowOf(), { emailVerifiedAt: null }, 'a sign-in of before the logout proves nothing')
  await app.db.update(providerAccounts).set({ loggedOutAt: null })

  const owner = aBrowser(app)
  t.equal((await owner.through('staff', 'nora')).problem, 'second-factor-due')
  t.equal(await owner.me(), undefined)
  const row = await rowOf()
  t.match(row, { emailVerifiedAt: Date, secondFactor: true })
  t.ok(row?.passwordHash)
  const { id: accountId } = before[0] ?? {}
  t.match(await app.db.select().from(providerAccounts), [{ id: accountId, userId: id }])
  t.match(await app.db.select().from(apiKeys), [{ revokedAt: null }])
  const done = await owner.call('POST', '/api/auth/login/verify', { code: await code() })
  t.match(done.json(), { user: { id, emailVerified: true }, session: { assurance: 2 } })
  t.match(
    (await activityOf(app.database, id)).filter(({ action }) => action === 'user.email-verify'),
    [{ details: { provider: 'staff' } }]
  )
})
