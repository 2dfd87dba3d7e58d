import { and, eq, isNull, sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { users } from '../../db/schema/users.ts'
import { readBacklog, retryAllMail } from '../../src/domain/outbox/list.ts'
import { activityOf, operator, ownApp, password, until } from '../support/app.ts'
import { mailsOf } from '../support/mails.ts'
import { passkeySignIn, withPasskey } from '../support/passkeys.ts'
import { aUserWithApp, beginLogin, cookieSet, verify } from '../support/second-factors.ts'

// Somebody has the password of an account with a second factor, and nothing else.

const app = await ownApp(t)
const { db } = app
const mails = mailsOf(app)
const unfinished = 'sign-in-unfinished' as const
const thief = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'
}
const isOpen = and(eq(outbox.kind, unfinished), eq(outbox.state, 'pending'))

/** Ends the time of every pending login. */
const letLoginsEnd = () =>
  db
    .update(outbox)
    .set({ nextAt: sql`now()` })
    .where(isOpen)
/** How many mails about an unfinished sign-in the user has, once all logins have ended. */
async function reported({ email }: { email: string }) {
  await letLoginsEnd()
  return (await mails.kindsTo(email)).filter((kind) => kind === unfinished).length
}

t.test('the right password without the second factor is on record', async (t) => {
  const { user } = await aUserWithApp(app)
  await beginLogin(app, user, thief)
  const [record] = await activityOf(app.database, user.id)
  t.match(record, {
    action: 'auth.second-factor-due',
    outcome: 'success',
    actorId: user.id,
    userAgent: thief['user-agent']
  })
  const logins = and(eq(activity.actorId, user.id), eq(activity.action, 'auth.login'))
  const before = await db.$count(activity, logins)
  await beginLogin(app, user)
  t.equal(await db.$count(activity, logins), before, 'nobody has signed in, and nothing failed')
})

t.test('a sign-in from a new browser that stops at the second factor is reported', async (t) => {
  const { user } = await aUserWithApp(app)
  await beginLogin(app, user, thief)
  t.notOk((await mails.kindsTo(user.email)).includes(unfinished), 'not while it can be completed')
  t.equal(await reported(user), 1)
  const { subject, text } = await mails.newest(user.email, unfinished)
  t.match(subject, 'Unfinished sign-in')
  t.match(text, 'Firefox, Windows')
  t.match(text, '127.0.0.1')
  t.notMatch(text, /token/)
  t.match((await mails.rows()).at(-1), { kind: unfinished, userId: user.id })
})

t.test('unfinished sign-ins are reported once a day', async (t) => {
  const { user } = await aUserWithApp(app)
  await Promise.all(Array.from({ length: 6 }, () => beginLogin(app, user, thief)))
  t.equal(await reported(user), 1, 'of six at once')
  await beginLogin(app, user, thief)
  t.equal(await db.$count(outbox, isOpen), 0, 'nothing waits')
  t.equal(await reported(user), 1)
  await db
    .update(outbox)
    .set({ createdAt: sql`now() - interval '25 hours'` })
    .where(eq(outbox.userId, user.id))
  await beginLogin(app, user, thief)
  t.equal(await reported(user), 2, 'the next day')
})

t.test('a sign-in that is completed is not reported, whatever completes it', async (t) => {
  const account = await aUserWithApp(app)
  const { user, recoveryCodes } = account
  const { passkey } = await withPasskey(t, account)
  const byCode = await beginLogin(app, user, thief)
  t.equal((await verify(app, byCode, { code: await account.code(1) }, thief)).statusCode, 200)
  await beginLogin(app, user, thief)
  const again = await beginLogin(app, user, thief)
  const completed = await verify(app, again, { recoveryCode: recoveryCodes[0] }, thief)
  t.equal(completed.statusCode, 200, 'the user has begun again')
  await beginLogin(app, user, thief)
  t.equal((await passkeySignIn(app, passkey, {}, thief)).statusCode, 200)
  t.equal(await reported(user), 0)

  await beginLogin(app, user, thief)
  const elsewhere = { 'user-agent': 'curl/8.5.0' }
  const own = await beginLogin(app, user, elsewhere)
  await verify(app, own, { recoveryCode: recoveryCodes[1] }, elsewhere)
  t.equal(await reported(user), 1, 'but the sign-in of the owner does not hide that of a thief')
})

t.test('a browser that is known to the account is not reported', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const known = await verify(app, await beginLogin(app, user), { code: await code() })
  await reported(user)
  await beginLogin(app, user, { cookie: cookieSet(known, 'device') })
  t.equal(await db.$count(outbox, isOpen), 0)
  t.equal(await reported(user), 0)
})

t.test('nothing is reported after a new password, nor to an unconfirmed address', async (t) => {
  const changed = await aUserWithApp(app)
  await beginLogin(app, changed.user, thief)
  const newPassword = 'a better horse battery'
  const response = await changed.call('PUT', '/api/user/password', {
    currentPassword: password,
    newPassword
  })
  t.equal(response.statusCode, 204)
  t.equal(await reported(changed.user), 0)

  const { user } = await aUserWithApp(app)
  await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, user.id))
  await beginLogin(app, user, thief)
  t.equal(await reported(user), 0)
})

t.test('an operator who retries all mail does not end the time of a pending login', async (t) => {
  const { user } = await aUserWithApp(app)
  await beginLogin(app, user, thief)
  // Nor does it look late: nothing is left once other mail has gone out.
  await until(async () => (await readBacklog(db)).pending === 0)
  t.equal(await retryAllMail(db, operator, { state: 'pending' }), 0)
  t.notOk((await mails.kindsTo(user.email)).includes(unfinished))
  t.equal(await reported(user), 1)
})

t.test('where sign-ins are not reported, unfinished ones are not either', async (t) => {
  const quiet = await ownApp(t, { SIGN_IN_NOTICES: false })
  const { user } = await aUserWithApp(quiet)
  await beginLogin(quiet, user, thief)
  t.equal(await quiet.db.$count(outbox, isNull(outbox.userId)), 0)
})
