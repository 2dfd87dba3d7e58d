import { eq, inArray } from 'drizzle-orm'
import t from 'tap'
import { passkeys } from '../../../../db/schema/second-factors.ts'
import { pendingLogins } from '../../../../db/schema/sessions.ts'
import { throttle } from '../../../../db/schema/throttle.ts'
import { users } from '../../../../db/schema/users.ts'
import { aCaller, activityOf, callerOf, cookieOf, ownApp, password } from '../../../support/app.ts'
import { answer } from '../../../support/authenticator.ts'
import { aConfirmedCaller, mailsOf } from '../../../support/mails.ts'
import {
  passkeySignIn,
  provePasskey,
  send,
  signInOptions,
  withPasskey
} from '../../../support/passkeys.ts'
import { aUserWithApp, beginLogin, verify } from '../../../support/second-factors.ts'

const app = await ownApp(t)
const refusal = (response: { statusCode: number; json(): { code: string } }) => [
  response.statusCode,
  response.json().code
]
const rowOf = async (id: string) =>
  (await app.db.select().from(passkeys).where(eq(passkeys.id, id)))[0]
const newestLogin = async (userId: string) =>
  (await activityOf(app.database, userId)).find(({ action }) => action === 'auth.login')

t.test('a passkey signs in without a username, and is two factors', async (t) => {
  const { user, passkey, id } = await withPasskey(t, await aCaller(app), { algorithm: 'EdDSA' })
  const options = await app.inject({ method: 'POST', url: '/api/auth/passkey/options' })
  t.same(Object.keys(options.json()).sort(), ['challenge', 'rpId', 'timeout', 'userVerification'])
  t.match(options.json(), { rpId: 'localhost', userVerification: 'required', timeout: 300_000 })

  const credential = answer(passkey, options.json(), { extra: { authenticatorAttachment: 'x' } })
  t.ok(JSON.stringify(credential).length < 1500)
  const response = await send(app, credential)
  t.equal(response.statusCode, 200, response.body)
  t.match(response.json(), {
    user: { id: user.id, email: user.email },
    session: { assurance: 2, amr: ['hwk', 'user', 'mfa'] }
  })
  t.match(
    response.cookies.map(({ name }) => name),
    ['portal_session', 'portal_device']
  )
  const me = await app.inject({ url: '/api/auth/me', headers: { cookie: cookieOf(response) } })
  t.same(me.json().session.id, response.json().session.id)
  t.ok((await rowOf(id))?.lastUsedAt)
  const records = await activityOf(app.database, response.json().session.id)
  t.match(records, [{ action: 'auth.login', details: { amr: ['hwk', 'user', 'mfa'] } }])
})

t.test('a synced passkey counts as software, and its backup state is kept', async (t) => {
  const made = await withPasskey(t, await aCaller(app), { synced: true })
  t.match(await rowOf(made.id), { deviceType: 'multi', backedUp: true })
  const response = await passkeySignIn(app, made.passkey, { copied: false })
  t.same(response.json().session.amr, ['swk', 'user', 'mfa'])
  t.match(await rowOf(made.id), { backedUp: false }, 'the device says that there is no copy')
})

t.test('a sign-in replaces the session, and completes one that waits', async (t) => {
  const caller = await withPasskey(t, await aCaller(app))
  await app.db.update(users).set({ secondFactor: true }).where(eq(users.id, caller.user.id))
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: caller.user.email, password }
  })
  t.equal(login.statusCode, 202)
  t.same(login.json().methods, ['passkey'])
  const cookie = `${caller.cookie}; ${cookieOf(login)}`
  const waiting = eq(pendingLogins.userId, caller.user.id)
  const [pending] = await app.db.select().from(pendingLogins).where(waiting)
  const charged = pending?.charge.map(({ key }) => Buffer.from(key, 'base64')) ?? []
  const response = await passkeySignIn(app, caller.passkey, {}, { cookie })
  t.equal(response.statusCode, 200)
  t.match(
    response.cookies.map(({ name, value }) => [name, value !== '']),
    [
      ['portal_session', true],
      ['portal_device', true],
      ['portal_login', false]
    ]
  )
  t.equal((await caller.call('GET', '/api/auth/me')).statusCode, 401, 'the old session is replaced')
  t.equal(await app.db.$count(pendingLogins, waiting), 0)
  const buckets = await app.db.select().from(throttle).where(inArray(throttle.bucket, charged))
  t.same(
    buckets.map(({ fails }) => fails),
    [0, 0, 0],
    'what the password cost is returned'
  )
})

t.test(
  'an unknown passkey has a code of its own, so that an app can have it deleted',
  async (t) => {
    const caller = await withPasskey(t, await aCaller(app))
    t.equal((await caller.call('DELETE', `/api/user/passkeys/${caller.id}`)).statusCode, 204)
    t.same(refusal(await passkeySignIn(app, caller.passkey)), [401, 'unknown-passkey'])
  }
)

t.test('the passkey of a deactivated user is refused like a wrong one', async (t) => {
  const { user, passkey, id } = await withPasskey(t, await aCaller(app))
  await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, user.id))
  const response = await passkeySignIn(app, passkey)
  t.same(refusal(response), [401, 'passkey-refused'])
  t.notOk(response.headers['set-cookie'])
  t.match(await newestLogin(user.id), { outcome: 'failure', reason: 'deactivated' })
  t.equal((await rowOf(id))?.lastUsedAt, null)
})

t.test('a sign-in from a new browser is reported to the owner, others are not', async (t) => {
  const mails = mailsOf(app)
  const { user, passkey } = await withPasskey(t, await aConfirmedCaller(app))
  const first = await passkeySignIn(app, passkey)
  t.same(await mails.kindsTo(user.email), ['passkey-added', 'new-device'])
  t.match((await mails.newest(user.email, 'new-device')).text, /used a passkey/)
  const device = first.cookies.find(({ name }) => name === 'portal_device')
  const headers = { cookie: `portal_device=${device?.value}` }
  t.equal((await passkeySignIn(app, passkey, {}, headers)).statusCode, 200)
  t.equal((await mails.kindsTo(user.email)).length, 2)
})

t.test('failures count for the address, successes do not', async (t) => {
  const tight = await ownApp(t, { THROTTLE_LOGIN_SOURCE: { burst: 2, seconds: 600 } })
  const { passkey } = await withPasskey(t, await aCaller(tight))
  for (let i = 0; i < 3; i++) t.equal((await passkeySignIn(tight, passkey)).statusCode, 200)
  for (let i = 0; i < 2; i++) {
    t.equal((await passkeySignIn(tight, passkey, { userVerified: false })).statusCode, 401)
  }
  t.same(refusal(await passkeySignIn(tight, passkey)), [429, 'rate-limited'])
})

t.test('a passkey does not end a sign-in of somebody else that waits', async (t) => {
  const { user, code } = await aUserWithApp(app)
  const cookie = await beginLogin(app, user)
  const { passkey } = await withPasskey(t, await aCaller(app))
  t.equal((await passkeySignIn(app, passkey, {}, { cookie })).statusCode, 200)
  t.match((await verify(app, cookie, { code: await code() })).json(), { user: { id: user.id } })
})

t.test(
  'where addresses must be confirmed, an unconfirmed one is refused with a link',
  async (t) => {
    const strict = await ownApp(t, { EMAIL_VERIFICATION: 'required' })
    const mails = mailsOf(strict)
    const { user, passkey } = await withPasskey(t, await aConfirmedCaller(strict))
    await strict.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, user.id))
    const credential = answer(passkey, await signInOptions(strict))
    t.same(refusal(await send(strict, credential)), [403, 'email-unverified'])
    t.same(await mails.kindsTo(user.email), ['passkey-added', 'confirm'])
    t.same(refusal(await send(strict, credential)), [401, 'passkey-refused'], 'answered once')
  }
)

t.test('a user authenticates again with a passkey', async (t) => {
  const first = await withPasskey(t, await aCaller(app))
  const second = await callerOf(app, first.user)
  const options = await second.call('POST', '/api/auth/reauthenticate/options')
  t.match(options.json().allowCredentials, [{ id: first.passkey.id.toString('base64url') }])
  // Safari sends an empty text for none.
  for (const userHandle of [first.passkey.userHandle, null, '']) {
    const caller = await callerOf(app, first.user)
    const proved = await provePasskey(caller, first.passkey, { userHandle })
    t.equal(proved.statusCode, 200, proved.body)
    t.match(proved.json().session, { assurance: 2, amr: ['pwd', 'hwk', 'user', 'mfa'] })
    t.equal((await caller.call('GET', '/api/auth/me')).statusCode, 401, 'the cookie is replaced')
    const me = await app.inject({ url: '/api/auth/me', headers: { cookie: cookieOf(proved) } })
    t.equal(me.statusCode, 200)
  }
  const other = await callerOf(app, first.user)
  t.equal((await other.call('GET', '/api/auth/me')).json().session.assurance, 1, 'only there')
})

t.test('the passkey of somebody else proves nothing', async (t) => {
  const caller = await withPasskey(t, await aCaller(app))
  const thief = await withPasskey(t, await aCaller(app))
  for (const userHandle of [thief.passkey.userHandle, caller.passkey.userHandle, null]) {
    const response = await provePasskey(caller, thief.passkey, { userHandle })
    t.same(refusal(response), [403, 'wrong-passkey'])
  }
  t.match(await activityOf(app.database, caller.user.id), [
    { action: 'auth.second-factor', outcome: 'failure', reason: 'wrong-passkey' }
  ])
})

t.test('without passkeys their routes do not exist', async (t) => {
  for (const changes of [
    { PASSKEYS: 'off' as const },
    { PUBLIC_ORIGIN: 'http://127.0.0.1:3000' }
  ]) {
    const off = await ownApp(t, changes)
    t.equal((await off.inject('/api/auth/options')).json().passkeys, false)
    const { call } = await aCaller(off)
    for (const url of ['/api/auth/passkey', '/api/auth/passkey/options', '/api/user/passkeys']) {
      t.same(refusal(await call('POST', url, {})), [404, 'not-found'], url)
    }
    const made = await withPasskey(t, await aCaller(app))
    const credential = answer(made.passkey, await signInOptions(app))
    const proof = await call('POST', '/api/auth/reauthenticate', { credential })
    t.same(refusal(proof), [403, 'wrong-passkey'])
  }
})
