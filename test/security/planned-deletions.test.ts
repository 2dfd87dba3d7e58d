import { eq } from 'drizzle-orm'
import t from 'tap'
import { pendingLogins, sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { transaction } from '../../db/transaction.ts'
import { createLinkToken } from '../../src/domain/tokens/tokens.ts'
import { aCaller, activityOf, freshEmail, password, testApp } from '../support/app.ts'
import { answer } from '../support/authenticator.ts'
import { aConfirmedCaller, mailsOf } from '../support/mails.ts'
import { passkeySignIn, send, signInOptions, withPasskey } from '../support/passkeys.ts'
import { plan, signIn, stateOf } from '../support/planned-deletions.ts'
import { aUserWithApp, beginLogin, cookieSet, verify } from '../support/second-factors.ts'

const app = await testApp(t, { DELETION_GRACE_DAYS: 7 })
const mails = mailsOf(app)
const restore = (token: string) =>
  app.inject({ method: 'POST', url: '/api/auth/restore', payload: { token } })
/** A user with an authenticator app, whose deletion is planned. */
async function aPlannedUserWithApp() {
  const caller = await aUserWithApp(app)
  const response = await caller.call('POST', '/api/user/deletion', {})
  if (response.statusCode !== 202) throw new Error(response.body)
  return caller
}

t.test('the password restores nothing before the second factor', async (t) => {
  const { user, code } = await aPlannedUserWithApp()
  t.match((await signIn(app, user.email)).json(), { code: 'deletion-pending' })
  const begun = await signIn(app, user.email, { restore: true })
  t.match(begun.json(), { next: 'second-factor' })
  t.match(await stateOf(app, user), { status: 'deactivated', deleteAt: Date })
  const login = cookieSet(begun, 'login') ?? ''
  t.equal((await verify(app, login, { code: '000000' })).statusCode, 401)
  t.match(await stateOf(app, user), { status: 'deactivated' })
  const done = await verify(app, login, { code: await code() })
  t.match(done.json(), { user: { status: 'active' }, session: { assurance: 2 } })
  t.same(await stateOf(app, user), { status: 'active', deleteAt: null })
})

t.test('a sign-in that began before the plan restores nothing', async (t) => {
  const { user, call, code } = await aUserWithApp(app)
  const login = await beginLogin(app, user)
  await call('POST', '/api/user/deletion', {})
  t.equal(await app.db.$count(pendingLogins, eq(pendingLogins.userId, user.id)), 0)
  t.match((await verify(app, login, { code: await code() })).json(), { code: 'login-expired' })
  t.match(await stateOf(app, user), { status: 'deactivated' })
})

t.test('the mailbox alone restores, but neither signs in nor removes a factor', async (t) => {
  const { user } = await aPlannedUserWithApp()
  const token = await mails.token(user.email, 'deletion-planned')
  for (const path of ['/account/restore', '/api/auth/restore']) {
    await app.inject({ url: `${path}?token=${token}` })
  }
  t.match(await stateOf(app, user), { status: 'deactivated' }, 'opening the link does nothing')

  t.match((await restore(`${token.slice(1)}x`)).json(), { status: 400, code: 'invalid-token' })
  const response = await restore(token)
  t.equal(response.statusCode, 204)
  t.equal(response.headers['set-cookie'], undefined)
  t.same(await stateOf(app, user), { status: 'active', deleteAt: null })
  const live = await app.db.select().from(sessions).where(eq(sessions.userId, user.id))
  t.ok(live.every(({ revokedAt }) => revokedAt !== null))
  t.match(await activityOf(app.database, user.id), [
    { action: 'user.deletion-cancel', actorId: user.id }
  ])
  t.match((await restore(token)).json(), { code: 'invalid-token' }, 'the link works once')
  t.match((await signIn(app, user.email)).json(), { next: 'second-factor' })
})

t.test('links and codes of before the plan open nothing', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  await app.inject({
    method: 'POST',
    url: '/api/auth/recovery',
    payload: { email: user.email }
  })
  const token = await mails.token(user.email, 'recovery')
  const link = await transaction(app.db, (tx) =>
    createLinkToken(tx, {
      purpose: 'confirm',
      owner: { userId: user.id },
      email: user.email,
      expiresIn: 3600
    })
  )
  await plan({ call })
  const reset = { token, newPassword: 'a better horse battery' }
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/recovery/confirm',
    payload: reset
  })
  t.match(response.json(), { code: 'invalid-token' })
  const confirmed = await app.inject({
    method: 'POST',
    url: '/api/auth/confirm',
    payload: { token: link?.token, password }
  })
  t.match(confirmed.json(), { code: 'invalid-token' })
  t.match(await stateOf(app, user), { status: 'deactivated' })
})

t.test('the link of the mail opens nothing once the address is another', async (t) => {
  const admin = await aCaller(app, 'admin')
  const { user, call } = await aConfirmedCaller(app)
  await plan({ call })
  const token = await mails.token(user.email, 'deletion-planned')
  await admin.call('PATCH', `/api/admin/users/${user.id}`, { email: freshEmail() })
  t.match((await restore(token)).json(), { code: 'invalid-token' })
  t.match(await stateOf(app, user), { status: 'deactivated', deleteAt: Date })
})

t.test("an operator's deactivation is not the user's to undo", async (t) => {
  const admin = await aCaller(app, 'admin')
  const set = (id: string, status: string) =>
    admin.call('PATCH', `/api/admin/users/${id}`, { status })
  const plain = await aConfirmedCaller(app)
  await set(plain.user.id, 'deactivated')
  t.match((await signIn(app, plain.user.email, { restore: true })).json(), {
    code: 'invalid-credentials'
  })

  const planned = await aConfirmedCaller(app)
  await plan(planned)
  const token = await mails.token(planned.user.email, 'deletion-planned')
  await set(planned.user.id, 'deactivated')
  t.same(await stateOf(app, planned.user), { status: 'deactivated', deleteAt: null })
  t.match((await signIn(app, planned.user.email, { restore: true })).json(), {
    code: 'invalid-credentials'
  })
  t.match((await restore(token)).json(), { code: 'invalid-token' })
  await set(planned.user.id, 'active')
  t.same(await stateOf(app, planned.user), { status: 'active', deleteAt: null })
})

t.test('an operator restores an account by reactivating it', async (t) => {
  const admin = await aCaller(app, 'admin')
  const { user, call } = await aConfirmedCaller(app)
  const deleteAt = await plan({ call })
  const url = `/api/admin/users/${user.id}`
  t.match((await admin.call('GET', url)).json(), { status: 'deactivated', deleteAt })
  const restored = await admin.call('PATCH', url, { status: 'active' })
  t.match(restored.json(), { status: 'active', deleteAt: null })
  t.match(await activityOf(app.database, user.id), [
    { action: 'user.deletion-cancel', actorId: admin.user.id }
  ])
  t.ok((await mails.kindsTo(user.email)).includes('deletion-cancelled'))
})

t.test('a passkey tells of the plan, and restores with `restore` only', async (t) => {
  const caller = await withPasskey(t, await aConfirmedCaller(app))
  await plan(caller)
  const { passkey, user } = caller
  const refused = await passkeySignIn(app, passkey)
  t.match(refused.json(), { status: 403, code: 'deletion-pending', deleteAt: String })
  t.match(await stateOf(app, user), { status: 'deactivated' })

  const credential = answer(passkey, await signInOptions(app))
  t.match((await send(app, credential)).json(), { code: 'deletion-pending' })
  const repeated = await app.inject({
    method: 'POST',
    url: '/api/auth/passkey',
    payload: { credential, restore: true }
  })
  t.match(repeated.json(), { code: 'passkey-refused' }, 'no assertion counts twice')
  const restored = await app.inject({
    method: 'POST',
    url: '/api/auth/passkey',
    payload: { credential: answer(passkey, await signInOptions(app)), restore: true }
  })
  t.match(restored.json(), { user: { status: 'active' }, session: { assurance: 2 } })
  t.same(await stateOf(app, user), { status: 'active', deleteAt: null })
})

t.test('a passkey completes a sign-in that restores', async (t) => {
  const caller = await withPasskey(t, await aConfirmedCaller(app))
  await app.db.update(users).set({ secondFactor: true }).where(eq(users.id, caller.user.id))
  const planned = await caller.call('POST', '/api/user/deletion', {})
  t.equal(planned.statusCode, 202)
  const begun = await signIn(app, caller.user.email, { restore: true })
  const cookie = cookieSet(begun, 'login') ?? ''
  t.match(await stateOf(app, caller.user), { status: 'deactivated' })
  const done = await passkeySignIn(app, caller.passkey, {}, { cookie })
  t.match(done.json(), { user: { status: 'active' } })
})

t.test('exports at the moment of the deletion are whole or refused', async (t) => {
  const { call } = await aConfirmedCaller(app)
  const exports = [1, 2, 3].map(() => call('GET', '/api/user/export'))
  const [deletion, ...files] = await Promise.all([
    call('POST', '/api/user/deletion', { currentPassword: password }),
    ...exports
  ])
  t.equal(deletion.statusCode, 202)
  for (const file of files) {
    if (file.statusCode === 200) t.match(JSON.parse(file.body), { account: { id: String } })
    else t.equal(file.statusCode, 401)
  }
  t.equal((await call('GET', '/api/user/export')).statusCode, 401)
})
