import { eq } from 'drizzle-orm'
import t from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { users } from '../../db/schema/users.ts'
import { activityOf, callerOf, aUser, ownApp } from '../support/app.ts'
import { confirmed } from '../support/mails.ts'
import { plan, stateOf } from '../support/planned-deletions.ts'
import { aBrowser } from '../support/providers/browser.ts'
import { configured } from '../support/providers/configured.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'

const email = 'nora.field@example.com'
const acme = await startOidcProvider(t, { keys: ['acme', 'beta'] })
const app = await ownApp(t, {
  DELETION_GRACE_DAYS: 7,
  providers: [
    configured.oidc(acme, { trustsEmail: 'claim' }),
    configured.oidc(acme, {
      key: 'beta',
      name: 'Beta',
      issuer: `${acme.issuer}`,
      trustsEmail: 'never'
    })
  ]
})
const user = await confirmed(app.database, await aUser(app.database, email))
const planAgain = async () => plan(await callerOf(app, user))
const restored = { status: 'active', deleteAt: null }

t.test('a provider tells the user of a linked account of the plan', async (t) => {
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, undefined)
  const deleteAt = await planAgain()
  const browser = aBrowser(app)
  const { location, problem } = await browser.through('acme', 'nora')
  t.equal(problem, 'deletion-pending')
  t.equal(new URL(location ?? '').searchParams.get('deleteAt'), deleteAt)
  t.equal(browser.jar.get('portal_led'), 'deletion-pending', 'by which a page knows who led here')
  t.equal(await browser.me(), undefined)
  t.match(
    (await activityOf(app.database, user.id)).find(({ outcome }) => outcome === 'failure'),
    { action: 'auth.provider-refused', reason: 'deletion-pending' }
  )
})

t.test('a provider that does not speak for the mailbox learns nothing of the plan', async (t) => {
  for (const { id, claims } of acme.people) if (id === 'lea') claims.email = email
  t.equal((await aBrowser(app).through('beta', 'lea')).problem, 'account-exists')
})

t.test('with `restore` a linked account restores its user', async (t) => {
  const browser = aBrowser(app)
  t.equal((await browser.through('acme', 'nora', { restore: true })).problem, undefined)
  t.equal((await browser.me())?.user.id, user.id)
  t.same(await stateOf(app, user), restored)
})

t.test('an account at a provider stays bound', async (t) => {
  await planAgain()
  t.equal(await app.db.$count(providerAccounts, eq(providerAccounts.userId, user.id)), 1)
  t.equal((await aBrowser(app).through('acme', 'nora')).problem, 'deletion-pending')
})

t.test('a provider restores nothing before the second factor', async (t) => {
  await app.db.update(users).set({ secondFactor: true }).where(eq(users.id, user.id))
  const { problem } = await aBrowser(app).through('acme', 'nora', { restore: true })
  t.equal(problem, 'second-factor-due')
  t.match(await stateOf(app, user), { status: 'deactivated' })
})
