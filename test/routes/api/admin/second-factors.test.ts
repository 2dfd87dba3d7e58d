import { eq } from 'drizzle-orm'
import t from 'tap'
import { passkeys, recoveryCodes, totp } from '../../../../db/schema/second-factors.ts'
import { pendingLogins, sessions } from '../../../../db/schema/sessions.ts'
import { replaceRecoveryCodes } from '../../../../src/domain/factors/recovery-codes.ts'
import { aCaller, activityOf, aRole, cookieOf, ownApp, password } from '../../../support/app.ts'
import { confirmed, mailsOf } from '../../../support/mails.ts'
import { passkeySignIn, withPasskey } from '../../../support/passkeys.ts'
import { clientOf } from '../../../support/requests.ts'
import {
  anAppFor,
  aRequiringRole,
  signedInWithCode,
  wrongCode
} from '../../../support/second-factors.ts'

const budget = { burst: 3, seconds: 600 }
const app = await ownApp(t, { THROTTLE_SECOND_FACTOR: budget })
const { db } = app
const mails = mailsOf(app)
const { post, login, me, rowOf } = clientOf(app)
const admin = await aCaller(app, 'admin')
const reset = (id: string) => admin.call('DELETE', `/api/admin/users/${id}/second-factors`)

/** Enters the password, and returns the cookie that the second step needs. */
const begin = async (email: string) => cookieOf(await post('/api/auth/login', { email, password }))
const verify = async (cookie: string, payload: object) =>
  post('/api/auth/login/verify', payload, cookie)

t.test('a reset removes every factor and session, and tells the user', async (t) => {
  const strict = await aRequiringRole(app, 'users:read')
  const { user, cookie, call } = await aCaller(app, strict)
  await confirmed(app.database, user)
  const phone = await anAppFor(app, user)
  await replaceRecoveryCodes(db, user.id)
  const [strong, another] = [
    await signedInWithCode(app, user.email, phone),
    await signedInWithCode(app, user.email, phone)
  ]
  const { cookie: withKey, passkey } = await withPasskey(t, { call, cookie: another })
  const pending = await begin(user.email)
  const before = await admin.call('GET', `/api/admin/users/${user.id}`)
  t.match(before.json(), { secondFactor: true })

  const answer = await reset(user.id)
  t.equal(answer.statusCode, 204, answer.body)
  t.same([await me(cookie), await me(strong), await me(withKey)], [401, 401, 401])
  t.match((await passkeySignIn(app, passkey)).json(), { code: 'unknown-passkey' })
  t.match((await verify(pending, { code: await phone.code() })).json(), { code: 'login-expired' })
  for (const table of [totp, recoveryCodes, passkeys, pendingLogins]) {
    t.equal(await db.$count(table, eq(table.userId, user.id)), 0)
  }
  const ended = await db.select().from(sessions).where(eq(sessions.userId, user.id))
  t.same(new Set(ended.map(({ revokeReason }) => revokeReason)), new Set(['second-factor']))
  const after = await admin.call('GET', `/api/admin/users/${user.id}`)
  t.match(after.json(), { secondFactor: false })
  t.not(after.headers.etag, before.headers.etag)
  t.ok((await mails.kindsTo(user.email)).includes('second-factor-removed'))
  const record = (await activityOf(app.database, user.id)).find(
    ({ action }) => action === 'user.second-factor-reset'
  )
  t.match(record, { actorId: admin.user.id, details: { revoked: 3 } })

  const next = await post('/api/auth/login', { email: user.email, password })
  t.match(next.json(), { user: { suspendedRoles: [strict] }, session: { assurance: 1 } })
})

t.test('a reset without a second factor changes nothing', async (t) => {
  const { user, cookie } = await aCaller(app)
  await confirmed(app.database, user)
  t.equal((await reset(user.id)).statusCode, 204)
  t.equal(await me(cookie), 200)
  t.notOk((await mails.kindsTo(user.email)).includes('second-factor-removed'))
  const actions = (await activityOf(app.database, user.id)).map(({ action }) => action)
  t.notOk(actions.includes('user.second-factor-reset'))
})

t.test('a reset takes users:update and every permission of the user', async (t) => {
  const { user } = await aCaller(app, await aRole(app.database, 'flags:read'))
  await anAppFor(app, user)
  const url = `/api/admin/users/${user.id}/second-factors`
  const helper = await aCaller(app, await aRole(app.database, 'users:update'))
  t.match((await helper.call('DELETE', url)).json(), { code: 'exceeds-own-permissions' })
  const reader = await aCaller(app, await aRole(app.database, 'users:read', 'flags:read'))
  t.match((await reader.call('DELETE', url)).json(), { code: 'permission-denied' })
  t.match(await rowOf(user.id), { secondFactor: true })
  const equal = await aCaller(app, await aRole(app.database, 'users:update', 'flags:read'))
  t.equal((await equal.call('DELETE', url)).statusCode, 204)
  t.match((await reset('0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e')).json(), { code: 'user-not-found' })
})

t.test('a reset includes the limit of codes', async (t) => {
  const { user } = await aCaller(app)
  const phone = await anAppFor(app, user)
  const strong = await signedInWithCode(app, user.email, phone)
  const wrong = await wrongCode(phone)
  const useUp = async () => {
    const attempts = []
    for (let n = 0; n <= budget.burst; n++) {
      attempts.push((await post('/api/auth/reauthenticate', { code: wrong }, strong)).statusCode)
    }
    return attempts
  }
  t.same(await useUp(), [403, 403, 403, 429])
  await reset(user.id)
  const anew = await anAppFor(app, user)
  const cookie = await signedInWithCode(app, user.email, anew)
  t.equal(await me(cookie), 200)
})

t.test('a recovery by mail keeps the second factor and the limit of its codes', async (t) => {
  const { user, cookie } = await aCaller(app)
  await confirmed(app.database, user)
  const phone = await anAppFor(app, user)
  const wrong = await wrongCode(phone)
  const pending = await begin(user.email)
  for (let n = 0; n < budget.burst; n++) {
    t.match((await verify(pending, { code: wrong })).json(), { code: 'invalid-code' })
  }
  t.equal((await post('/api/auth/recovery', { email: user.email })).statusCode, 202)
  const token = await mails.token(user.email, 'recovery')
  const newPassword = 'a better horse battery'
  t.equal((await post('/api/auth/recovery/confirm', { token, newPassword })).statusCode, 204)

  t.equal(await me(cookie), 401)
  t.equal(await login(user.email, newPassword), 202, 'the second factor is still due')
  const again = cookieOf(
    await post('/api/auth/login', { email: user.email, password: newPassword })
  )
  const right = await verify(again, { code: await phone.code() })
  t.match(right.json(), { code: 'rate-limited' }, 'and no further codes can be guessed')
})

t.test('neither deactivation nor a password set by an operator ends the need for it', async (t) => {
  const { user } = await aCaller(app)
  const phone = await anAppFor(app, user)
  const pending = await begin(user.email)
  const url = `/api/admin/users/${user.id}`
  await admin.call('PATCH', url, { status: 'deactivated' })
  t.match((await verify(pending, { code: await phone.code() })).json(), { code: 'login-expired' })
  await admin.call('PATCH', url, { status: 'active' })
  t.match((await verify(pending, { code: await phone.code() })).json(), { code: 'login-expired' })
  const next = await begin(user.email)
  const other = 'a better horse battery'
  t.equal((await admin.call('PUT', `${url}/password`, { password: other })).statusCode, 204)
  t.match((await verify(next, { code: await phone.code() })).json(), { code: 'login-expired' })
  t.equal(await login(user.email, other), 202)
})
