import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../../../db/schema/users.ts'
import { inviteUser, updateUser } from '../../../../src/domain/administration/users.ts'
import { resetSecondFactor } from '../../../../src/domain/administration/factor-removal.ts'
import { createEnrolmentLink } from '../../../../src/domain/administration/operator-links.ts'
import {
  aCaller,
  activityOf,
  aUser,
  callerOf,
  cookieOf,
  freshEmail,
  operator,
  ownApp,
  password,
  signedIn,
  testApp
} from '../../../support/app.ts'
import { aConfirmedCaller, mailsOf } from '../../../support/mails.ts'
import { tryToAdd } from '../../../support/passkeys.ts'
import { anAppFor, aRequiringRole, codeOf, sessionsOf } from '../../../support/second-factors.ts'
import type { Caller } from '../../../support/second-factors.ts'

const app = await ownApp(t, { THROTTLE_MAIL_ADDRESS: { burst: 2, seconds: 600 } })
const mails = mailsOf(app)
const role = await aRequiringRole(app, 'users:read')
const path = '/api/user/security/enrolment'

/** The refusal of a first factor with this token, or undefined when it is set up. */
async function refusal({ call }: Pick<Caller, 'call'>, token: string | undefined) {
  const { secret } = (await call('POST', '/api/user/totp')).json()
  const code = await codeOf(app.db, secret)
  const answer = await call('POST', '/api/user/totp/confirm', { code, token })
  return answer.statusCode === 200 ? undefined : answer.json().code
}

t.test('a link is sent to the confirmed address, and sets up the first factor once', async (t) => {
  const { user, call } = await aConfirmedCaller(app, role)
  const stranger = await aConfirmedCaller(app, role)
  const answer = await call('POST', path)
  t.equal(answer.statusCode, 202, answer.body)
  t.match((await activityOf(app.database, user.id))[0], {
    action: 'user.enrolment-link',
    actorId: user.id
  })
  const { text } = await mails.newest(user.email, 'factor-enrolment')
  t.match(text, '/account/enrol?token=')
  const token = await mails.token(user.email, 'factor-enrolment')
  t.equal(await refusal({ call }, undefined), 'enrolment-token-required')
  t.equal(await refusal(stranger, token), 'invalid-token', 'of another user')
  t.equal(await refusal({ call }, token), undefined)
  await resetSecondFactor(app.context, operator, { userId: user.id })
  const again = await callerOf(app, user)
  t.equal(await refusal(again, token), 'invalid-token', 'used before')
  const { token: printed } = await createEnrolmentLink(app.db, operator, {
    userId: user.id,
    expiresIn: 60
  })
  const bare = await tryToAdd(again)
  t.match(bare.response.json(), { code: 'enrolment-token-required' }, 'a passkey needs one, too')
  const added = await tryToAdd(again, {}, { token: printed })
  t.equal(added.response.statusCode, 201, added.response.body)
})

t.test('no link without need, confirmed address or mail', async (t) => {
  const plain = await aConfirmedCaller(app)
  t.match((await plain.call('POST', path)).json(), { code: 'enrolment-link-not-needed' })
  const withFactor = await aConfirmedCaller(app, role)
  await anAppFor(app, withFactor.user)
  t.match((await withFactor.call('POST', path)).json(), { code: 'enrolment-link-not-needed' })
  const unconfirmed = await aCaller(app, role)
  t.match((await unconfirmed.call('POST', path)).json(), { status: 403, code: 'email-unverified' })
  for (const { user } of [plain, withFactor, unconfirmed]) {
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
  /** Each returns the cookie of the session after the change. */
  const changes: ((caller: Caller) => Promise<string>)[] = [
    async ({ call }) => {
      const newPassword = 'a better horse battery'
      const change = { currentPassword: password, newPassword }
      return cookieOf(await call('PUT', '/api/user/password', change))
    },
    async ({ user: { id, email }, cookie }) => {
      await updateUser(app.context, operator, { id, changes: { email: `new-${email}` } })
      return cookie
    }
  ]
  for (const change of changes) {
    const caller = await aConfirmedCaller(app, role)
    const { id, email } = caller.user
    t.equal((await caller.call('POST', path)).statusCode, 202)
    const sent = await mails.token(email, 'factor-enrolment')
    const { token } = await createEnrolmentLink(app.db, operator, { userId: id, expiresIn: 60 })
    const cookie = await change(caller)
    const call: Caller['call'] = (method, url, payload) =>
      caller.call(method, url, payload, { cookie })
    t.equal(await refusal({ call }, sent), 'invalid-token')
    t.equal(await refusal({ call }, token), 'invalid-token')
  }
})

t.test('after a recovery by mail, no link is sent to the same mailbox for 72 hours', async (t) => {
  const { user } = await aConfirmedCaller(app, role)
  await app.inject({ method: 'POST', url: '/api/auth/recovery', payload: { email: user.email } })
  const token = await mails.token(user.email, 'recovery')
  const newPassword = 'the password of a thief'
  const recovery = { method: 'POST' as const, url: '/api/auth/recovery/confirm' }
  await app.inject({ ...recovery, payload: { token, newPassword } })
  const cookie = await signedIn(app, user.email, {}, newPassword)
  const thief = { cookie, call: sessionsOf(app).callerWith(cookie) }
  const refused = await thief.call('POST', path)
  t.match(refused.json(), {
    status: 409,
    code: 'enrolment-link-waits',
    detail: /administrator.* after 20.* UTC\.$/
  })
  const hours = Number(refused.headers['retry-after']) / 3600
  t.ok(hours > 71.9 && hours <= 72, `${hours} hours`)
  t.notOk((await mails.kindsTo(user.email)).includes('factor-enrolment'))

  const link = await createEnrolmentLink(app.db, operator, { userId: user.id, expiresIn: 60 })
  t.type(link.token, 'string', 'an operator creates one')
  await app.db
    .update(users)
    .set({ recoveredAt: sql`now() - interval '72 hours'` })
    .where(eq(users.id, user.id))
  t.equal((await thief.call('POST', path)).statusCode, 202)
})

t.test('the first password of an account is no recovery', async (t) => {
  const invited = await inviteUser(app.context, operator, {
    email: freshEmail(),
    name: 'Ada',
    byMail: true
  })
  const { id, email } = invited.user
  const token = await mails.token(email, 'invitation')
  const recovery = { method: 'POST' as const, url: '/api/auth/recovery/confirm' }
  const answer = await app.inject({ ...recovery, payload: { token, newPassword: password } })
  t.equal(answer.statusCode, 204)
  const { call } = await callerOf(app, { id, email }, role)
  t.equal((await call('POST', path)).statusCode, 202)
})
