import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../db/schema/sessions.ts'
import { grantRole } from '../../src/domain/access/memberships.ts'
import { createEnrolmentLink } from '../../src/domain/administration/operator-links.ts'
import {
  activityOf,
  cookieOf,
  freshEmail,
  operator,
  password,
  signedIn,
  testApp
} from '../support/app.ts'
import { linkFor } from '../support/mail-links.ts'
import { aConfirmedCaller, mailsOf } from '../support/mails.ts'
import { provePasskey, withPasskey } from '../support/passkeys.ts'
import { aRequiringRole, beginTotp, codeOf, enrol, sessionsOf } from '../support/second-factors.ts'

// A thief who knows the password prepares this while the account has no second factor.

const app = await testApp(t, { SIGN_IN_NOTICES: false })
const { db } = app
const mails = mailsOf(app)
const { assuranceOf, callerWith } = sessionsOf(app)

/** A user without a second factor, and a session of a thief with the password. */
async function aTarget() {
  const owner = await aConfirmedCaller(app)
  const thief = await signedIn(app, owner.user.email)
  return { owner, user: owner.user, thief, callAsThief: callerWith(thief) }
}

/** Asks for a new address with the password, and returns the token of the link. */
async function askedFor(call: ReturnType<typeof callerWith>) {
  const email = freshEmail()
  const answer = await call('PUT', '/api/user/email', { email, currentPassword: password })
  if (answer.statusCode !== 202) throw new Error(answer.body)
  return { email, token: await mails.token(email, 'email-change') }
}

for (const [factor, setUp] of [
  ['app', ({ owner }) => enrol(app, owner.call)],
  ['passkey', ({ owner }) => withPasskey(t, owner)]
] as [string, (target: Awaited<ReturnType<typeof aTarget>>) => Promise<{ cookie: string }>][]) {
  t.test(`a first ${factor} ends other sessions and links to change the address`, async (t) => {
    const target = await aTarget()
    const { user, thief, callAsThief } = target
    const { token } = await askedFor(callAsThief)
    const { cookie } = await setUp(target)
    t.same([await assuranceOf(thief), await assuranceOf(cookie)], [401, 2])
    const own = callerWith(cookie)
    t.match((await own('GET', '/api/user/email')).json(), { email: user.email, pending: null })
    const late = await own('POST', '/api/user/email/confirm', { token })
    t.match(late.json(), { status: 400, code: 'invalid-token' })
    const records = await activityOf(app.database, user.id)
    const action = factor === 'app' ? 'user.totp-enrol' : 'user.passkey-add'
    t.match(
      records.find((each) => each.action === action),
      { details: { revoked: 1 } }
    )
    const ended = await db.select().from(sessions).where(eq(sessions.userId, user.id))
    t.ok(ended.some(({ revokeReason }) => revokeReason === 'second-factor'))
  })
}

t.test('another factor ends no other session', async (t) => {
  const { owner } = await aTarget()
  const withFactor = await withPasskey(t, owner)
  const other = await signedIn(app, owner.user.email)
  await enrol(app, withFactor.call)
  t.equal(await assuranceOf(other), 1)
})

t.test('an address that was asked for with the password takes the factor by now', async (t) => {
  const { owner, user } = await aTarget()
  const { passkey } = await withPasskey(t, owner)
  const cookie = await signedIn(app, user.email)
  const call = callerWith(cookie)
  const { email, token } = await askedFor(call)
  const role = await aRequiringRole(app, 'users:read')
  await grantRole(db, operator, { userId: user.id, role })
  const refused = await call('POST', '/api/user/email/confirm', { token })
  t.match(refused.json(), { code: 'reauthentication-required', methods: ['passkey'] })
  t.match((await call('GET', '/api/user/email')).json(), { email: user.email, pending: email })

  const proved = callerWith(cookieOf(await provePasskey({ cookie, call }, passkey)))
  const confirmed = await proved('POST', '/api/user/email/confirm', { token })
  t.match(confirmed.json(), { email, verified: true })
})

t.test('a first factor ends links to set one up', async (t) => {
  const { owner, user, callAsThief } = await aTarget()
  const token = await linkFor(app, 'factor-enrolment', user)
  const read = () =>
    callAsThief('POST', '/api/auth/mail-link', { purpose: 'factor-enrolment', token })
  t.equal((await read()).statusCode, 200)
  await enrol(app, owner.call)
  t.match((await read()).json(), { status: 400, code: 'invalid-token' })
})

t.test('requiring the factor at sign-in ends links to change the address', async (t) => {
  const { owner, user } = await aTarget()
  const { call } = await withPasskey(t, owner)
  const { token } = await askedFor(callerWith(await signedIn(app, user.email)))
  t.equal((await call('PUT', '/api/user/second-factor', { required: true })).statusCode, 204)
  const late = await call('POST', '/api/user/email/confirm', { token })
  t.match(late.json(), { status: 400, code: 'invalid-token' })
})

t.test('a session whose last factor was removed proves one factor again', async (t) => {
  const { user, callAsThief, thief } = await aTarget()
  const { id, call, cookie } = await withPasskey(t, { cookie: thief, call: callAsThief })
  t.equal(await assuranceOf(cookie), 2)
  t.equal((await call('DELETE', `/api/user/passkeys/${id}`)).statusCode, 204)
  const role = await aRequiringRole(app, 'users:read')
  await grantRole(db, operator, { userId: user.id, role })
  const { user: shown, session } = (await call('GET', '/api/auth/me')).json()
  t.match(session, { assurance: 1, amr: ['pwd', 'hwk', 'user'] })
  t.same([shown.roles.includes(role), shown.suspendedRoles], [false, [role]])

  // The owner, who was signed out, sets up the first factor with a link of the operator.
  const own = callerWith(await signedIn(app, user.email))
  const { secret } = await beginTotp(own)
  const { token } = await createEnrolmentLink(db, operator, { userId: user.id, expiresIn: 60 })
  const code = await codeOf(db, secret)
  const confirmed = await own('POST', '/api/user/totp/confirm', { code, token })
  t.equal(confirmed.statusCode, 200)
  t.equal(await assuranceOf(cookie), 401)
})

t.test('so does one whose app was removed, but not while there is another factor', async (t) => {
  const { owner } = await aTarget()
  const { cookie } = await enrol(app, owner.call)
  const both = await withPasskey(t, { cookie, call: callerWith(cookie) })
  const off = await both.call('PUT', '/api/user/second-factor', { required: false })
  t.equal(off.statusCode, 204)
  t.equal((await both.call('DELETE', '/api/user/totp')).statusCode, 204)
  t.equal(await assuranceOf(both.cookie), 2)
  t.equal((await both.call('DELETE', `/api/user/passkeys/${both.id}`)).statusCode, 204)
  t.equal(await assuranceOf(both.cookie), 1)
  const renew = await both.call('POST', '/api/auth/reauthenticate', { password })
  t.match(renew.json().session, { assurance: 1 })
})
