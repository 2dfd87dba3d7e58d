import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../../../db/schema/users.ts'
import { transaction } from '../../../../db/transaction.ts'
import { lockUser } from '../../../../src/domain/access/rights.ts'
import { createEnrolmentLink } from '../../../../src/domain/accounts/enrolment-links.ts'
import { updateUser } from '../../../../src/domain/accounts/update.ts'
import { requireEnrolmentToken } from '../../../../src/domain/factors/enrolment.ts'
import {
  aCaller,
  activityOf,
  aUser,
  callerOf,
  operator,
  password,
  testApp
} from '../../../helpers.ts'
import { aConfirmedCaller, mailsOf } from '../../../mails.ts'
import { anAppFor, aRequiringRole } from '../../../second-factors.ts'

const app = await testApp(t, { THROTTLE_MAIL_ADDRESS: { burst: 2, seconds: 600 } })
const mails = mailsOf(t, app)
const role = await aRequiringRole(app, 'users:read')
const path = '/api/user/security/enrolment'

/** Sets up the first factor of a user, as far as its token is concerned. */
const use = (userId: string, token: string | undefined) =>
  transaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId)
    if (user) await requireEnrolmentToken(tx, user, token)
  })

t.test('a link is sent to the confirmed address, and its token works once', async (t) => {
  const { user, call } = await aConfirmedCaller(app, role)
  const stranger = await aConfirmedCaller(app, role)
  const answer = await call('POST', path)
  t.equal(answer.statusCode, 202, answer.body)
  const { text } = await mails.newest(user.email, 'factor-enrolment')
  t.match(text, '/account/enrol?token=')
  const token = await mails.token(user.email, 'factor-enrolment')
  await t.rejects(use(user.id, undefined), { code: 'enrolment-token-required' })
  await t.rejects(use(stranger.user.id, token), { code: 'invalid-token' }, 'of another user')
  await use(user.id, token)
  await t.rejects(use(user.id, token), { code: 'invalid-token' }, 'used before')
  t.match((await activityOf(app.database, user.id))[0], {
    action: 'user.enrolment-link',
    actorId: user.id
  })
})

t.test('no link without need, confirmed address or mail', async (t) => {
  const plain = await aConfirmedCaller(app)
  t.match((await plain.call('POST', path)).json(), { code: 'enrolment-link-not-needed' })
  const equipped = await aConfirmedCaller(app, role)
  await anAppFor(app, equipped.user)
  t.match((await equipped.call('POST', path)).json(), { code: 'enrolment-link-not-needed' })
  const unconfirmed = await aCaller(app, role)
  t.match((await unconfirmed.call('POST', path)).json(), { status: 403, code: 'email-unverified' })
  for (const { user } of [plain, equipped, unconfirmed]) {
    t.notOk((await mails.kindsTo(user.email)).includes('factor-enrolment'))
  }

  const silent = await testApp(t, { development: false, PUBLIC_ORIGIN: 'https://portal.example' })
  const { call } = await callerOf(
    silent,
    await aUser(silent.database),
    await aRequiringRole(silent)
  )
  t.match((await call('POST', path)).json(), { status: 403, code: 'mail-off' })
})

t.test('links count in the limit of mails to the address', async (t) => {
  const { call } = await aConfirmedCaller(app, role)
  t.same(
    [
      (await call('POST', path)).statusCode,
      (await call('POST', path)).statusCode,
      (await call('POST', path)).statusCode
    ],
    [202, 202, 429]
  )
})

t.test('a new password or address makes earlier links invalid', async (t) => {
  const changes: ((caller: Awaited<ReturnType<typeof aConfirmedCaller>>) => Promise<unknown>)[] = [
    ({ call }) =>
      call('PUT', '/api/user/password', {
        currentPassword: password,
        newPassword: 'a better horse battery'
      }),
    ({ user: { id, email } }) =>
      updateUser(app.services, operator, { id, changes: { email: `new-${email}` } })
  ]
  for (const change of changes) {
    const caller = await aConfirmedCaller(app, role)
    const { id, email } = caller.user
    t.equal((await caller.call('POST', path)).statusCode, 202)
    const sent = await mails.token(email, 'factor-enrolment')
    const { token } = await createEnrolmentLink(app.db, operator, { userId: id, expiresIn: 60 })
    await change(caller)
    const [row] = await app.db.select().from(users).where(eq(users.id, id))
    t.ok(row && (row.credentialVersion > 1 || row.email !== email), 'the change was made')
    await t.rejects(use(id, sent), { code: 'invalid-token' })
    await t.rejects(use(id, token), { code: 'invalid-token' })
  }
})
