import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { aCaller, freshEmail, password, testApp } from '../support/app.ts'
import { aConfirmedCaller, mailsOf, visible } from '../support/mails.ts'
import { plan, signIn, stateOf } from '../support/planned-deletions.ts'
import { takingBack } from '../support/ways-back.ts'

// The address of an account whose deletion is planned stays taken, and nobody learns of the plan.

const app = await testApp(t, { DELETION_GRACE_DAYS: 7 })
const register = (email: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email, password, name: 'Grace' }
  })

t.test('registration with an address whose deletion is planned: the usual answer', async (t) => {
  const [planned, usual] = [await aConfirmedCaller(app), await aConfirmedCaller(app)]
  await plan(planned)
  const responses = [await register(planned.user.email), await register(usual.user.email)]
  t.match(responses[0]?.json(), { status: 409, code: 'email-taken' })
  const [first, second] = responses.map(visible)
  t.same(first, second)
  t.match(await stateOf(app, planned.user), { status: 'deactivated' })
})

t.test('where addresses are confirmed, the answers and the mail are the usual ones', async (t) => {
  const app = await testApp(t, { DELETION_GRACE_DAYS: 7, EMAIL_VERIFICATION: 'required' })
  const mails = mailsOf(app)
  const planned = await aConfirmedCaller(app)
  await plan(planned)
  const answers = []
  for (const email of [planned.user.email, freshEmail()]) {
    answers.push(
      visible(
        await app.inject({
          method: 'POST',
          url: '/api/auth/register',
          payload: { email, password, name: 'Grace' }
        })
      )
    )
  }
  t.same(answers[0], answers[1])
  t.ok((await mails.kindsTo(planned.user.email)).includes('already-registered'))
})

t.test('an unconfirmed address is confirmed to restore, and not before', async (t) => {
  const app = await testApp(t, { DELETION_GRACE_DAYS: 7, EMAIL_VERIFICATION: 'required' })
  const mails = mailsOf(app)
  const planned = await aConfirmedCaller(app)
  await plan(planned)
  await app.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, planned.user.id))
  const { email } = planned.user
  t.match((await signIn(app, email)).json(), { code: 'deletion-pending' })
  t.match((await signIn(app, email, { restore: true })).json(), { code: 'email-unverified' })
  t.match(await stateOf(app, planned.user), { status: 'deactivated' })
  const token = await mails.token(email, 'confirm')
  const confirmed = await app.inject({
    method: 'POST',
    url: '/api/auth/confirm',
    payload: { token, password }
  })
  t.match(confirmed.json(), { user: { status: 'active' } })
})

t.test('only the restored address learns that a deletion was cancelled by its link', async (t) => {
  const { aVictim, mails, move, revertEmail } = takingBack(app)
  const { user, thief } = await aVictim()
  const stolen = await move(thief.cookie, password)
  // By hand: nobody plans a deletion while the link is valid.
  const deleteAt = sql`now() + interval '7 days'`
  await app.db.update(users).set({ status: 'deactivated', deleteAt }).where(eq(users.id, user.id))
  t.equal((await revertEmail(await mails.token(user.email, 'email-changed'))).statusCode, 204)
  t.same(await stateOf(app, user), { status: 'active', deleteAt: null })
  const kind = 'deletion-cancelled'
  t.ok((await mails.kindsTo(user.email)).includes(kind))
  t.notOk((await mails.kindsTo(stolen)).includes(kind))
})

t.test(
  'an operator who restores an account at another address tells the old one no more',
  async (t) => {
    const mails = mailsOf(app)
    const kind = 'deletion-cancelled'
    const admin = await aCaller(app, 'admin')
    const restoreWith = async (changes: object) => {
      const caller = await aConfirmedCaller(app)
      const { user } = caller
      await plan(caller)
      const patched = await admin.call('PATCH', `/api/admin/users/${user.id}`, {
        status: 'active',
        ...changes
      })
      t.match(patched, { statusCode: 200 })
      t.same(await stateOf(app, user), { status: 'active', deleteAt: null })
      return mails.kindsTo(user.email)
    }
    t.ok((await restoreWith({})).includes(kind))
    const email = freshEmail()
    const toOld = await restoreWith({ email })
    t.ok(toOld.includes('email-changed'))
    t.notOk(toOld.includes(kind))
    t.same(await mails.kindsTo(email), [], 'which nobody has confirmed yet')
  }
)
