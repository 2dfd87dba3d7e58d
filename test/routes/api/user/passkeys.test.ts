// Also on PGlite.

import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { roles } from '../../../../db/schema/roles.ts'
import { passkeys } from '../../../../db/schema/second-factors.ts'
import { sessions } from '../../../../db/schema/sessions.ts'
import { users } from '../../../../db/schema/users.ts'
import { grantRole } from '../../../../src/domain/access/memberships.ts'
import { createLinkToken } from '../../../../src/domain/tokens/tokens.ts'
import {
  aCaller,
  activityOf,
  aRole,
  callerOf,
  cookieOf,
  operator,
  testApp
} from '../../../support/app.ts'
import { createPasskey } from '../../../support/authenticator.ts'
import { aConfirmedCaller, mailsOf } from '../../../support/mails.ts'
import { creationOptions, provePasskey, tryToAdd, withPasskey } from '../../../support/passkeys.ts'

const app = await testApp(t)
const mails = mailsOf(app)
const refusal = (response: { statusCode: number; json(): { code: string } }) => [
  response.statusCode,
  response.json().code
]
/** Makes the sign-in of a session too old for changes of factors. */
const makeOld = (userId: string) =>
  app.db
    .update(sessions)
    .set({ createdAt: sql`now() - interval '11 minutes'`, reauthenticatedAt: null })
    .where(eq(sessions.userId, userId))
/** A role that counts only with a second factor. */
async function aStrictRole(...permissions: string[]) {
  const role = await aRole(app.database, ...permissions)
  await app.db.update(roles).set({ requiresSecondFactor: true }).where(eq(roles.key, role))
  return role
}

t.test('a user adds a passkey, which proves two factors in the session', async (t) => {
  const caller = await aConfirmedCaller(app)
  const options = await caller.call('POST', '/api/user/passkeys/options')
  t.match(options.json(), {
    rp: { id: 'localhost', name: 'portal' },
    user: { name: caller.user.email, displayName: 'Ada Lovelace' },
    challenge: /^[A-Za-z0-9_-]{70}$/,
    pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
    timeout: 300_000,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none'
  })
  const bytes = Buffer.from(options.json().user.id, 'base64url')
  t.equal(bytes.toString('hex'), caller.user.id.replaceAll('-', ''))
  t.equal(bytes.length, 16)

  const extra = { devicePubKey: 'x', authenticatorAttachment: 'platform' }
  const { credential, passkey } = createPasskey(options.json(), {
    extra,
    transports: ['internal', 'hybrid', 'NOT one']
  })
  t.ok(JSON.stringify(credential).length < 2000)
  const added = await caller.call('POST', '/api/user/passkeys', { credential, name: ' Laptop ' })
  t.equal(added.statusCode, 201)
  t.match(added.json(), {
    name: 'Laptop',
    credentialId: passkey.id.toString('base64url'),
    rpId: 'localhost',
    deviceType: 'single',
    backedUp: false,
    lastUsedAt: null
  })
  t.equal(added.headers.location, `/api/user/passkeys/${added.json().id}`)

  t.equal((await caller.call('GET', '/api/auth/me')).statusCode, 401, 'the old cookie is invalid')
  const cookie = cookieOf(added)
  const me = await app.inject({ url: '/api/auth/me', headers: { cookie } })
  t.match(me.json().session, { assurance: 2, amr: ['pwd', 'hwk', 'user', 'mfa'] })
  const again = (await creationOptions({ ...caller, cookie })) as unknown as Record<string, unknown>
  t.same(again.excludeCredentials, [
    { type: 'public-key', id: added.json().credentialId, transports: ['internal', 'hybrid'] }
  ])
  t.same(await mails.kindsTo(caller.user.email), ['passkey-added'])
  const records = await activityOf(app.database, caller.user.id)
  t.match(
    records.find(({ action }) => action === 'user.passkey-add'),
    { details: { name: 'Laptop' }, outcome: 'success' }
  )
  const [user] = await app.db.select().from(users).where(eq(users.id, caller.user.id))
  t.equal(user?.secondFactor, false, 'the password alone stays enough')
})

t.test('a passkey of each algorithm can be added, whatever attests it', async (t) => {
  let caller = await aCaller(app)
  const x5c = [Buffer.from('certificate')]
  const statement = new Map<string, number | Buffer | Buffer[]>([
    ['alg', -7],
    ['sig', Buffer.alloc(70)],
    ['x5c', x5c]
  ])
  caller = await withPasskey(t, caller, { algorithm: 'EdDSA', format: 'packed', statement })
  caller = await withPasskey(t, caller, { algorithm: 'ES256', format: 'unknown', statement })
  await withPasskey(t, caller, { algorithm: 'RS256' })
  const stored = await app.db.select().from(passkeys).where(eq(passkeys.userId, caller.user.id))
  t.same(stored.map(({ algorithm }) => algorithm).sort(), [-257, -7, -8])
})

t.test('a passkey without a name gets that of its model, or of the browser', async (t) => {
  let caller = await aCaller(app)
  const { call } = caller
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'
  caller = {
    ...caller,
    call: (method, url, body, headers) =>
      call(method, url, body, { 'user-agent': firefox, ...headers })
  }
  caller = await withPasskey(t, caller, { aaguid: 'd548826e-79b4-db40-a3d8-11116f7e8349' })
  caller = await withPasskey(t, caller)
  caller = await withPasskey(t, caller, {}, { name: 'x'.repeat(40) })
  const list = await app.db.select().from(passkeys).where(eq(passkeys.userId, caller.user.id))
  t.same(list.map(({ name }) => name).sort(), ['Bitwarden', 'Firefox, Windows', 'x'.repeat(40)])
  for (const [name, code] of [
    [' ', 'too-short'],
    ['x'.repeat(41), 'too-long']
  ]) {
    const { response } = await tryToAdd(caller, {}, { name })
    t.match(response.json(), { status: 400, errors: [{ pointer: '/name', code }] })
  }
})

t.test('passkeys are listed, renamed and removed by their owner only', async (t) => {
  const owner = await withPasskey(t, await aConfirmedCaller(app), {}, { name: 'One' })
  const stranger = await withPasskey(t, await aCaller(app))
  const url = `/api/user/passkeys/${owner.id}`
  t.same(refusal(await stranger.call('PATCH', url, { name: 'Mine' })), [404, 'passkey-not-found'])
  t.same(refusal(await stranger.call('DELETE', url)), [404, 'passkey-not-found'])

  const renamed = await owner.call('PATCH', url, { name: ' Two ' })
  t.match(renamed.json(), { id: owner.id, name: 'Two' })
  const blank = await owner.call('PATCH', url, { name: ' ' })
  t.match(blank.json(), { errors: [{ pointer: '/name', code: 'too-short' }] })
  const list = await owner.call('GET', '/api/user/passkeys')
  t.same(list.json(), { items: [renamed.json()], nextCursor: null })

  const elsewhere = await callerOf(app, owner.user)
  t.equal((await owner.call('DELETE', url)).statusCode, 204)
  t.same((await owner.call('GET', '/api/user/passkeys')).json().items, [])
  t.equal((await elsewhere.call('GET', '/api/auth/me')).statusCode, 401, 'other sessions end')
  t.same(await mails.kindsTo(owner.user.email), ['passkey-added', 'new-device', 'passkey-removed'])
  t.match(
    (await activityOf(app.database, owner.user.id))
      .filter(({ action }) => action.startsWith('user.passkey'))
      .map(({ action, details }) => [action, details]),
    [
      ['user.passkey-remove', { name: 'Two', revoked: 1 }],
      ['user.passkey-rename', { name: 'Two' }],
      ['user.passkey-add', { name: 'One' }]
    ]
  )
})

t.test(
  'adding and removing require a recent authentication, which keeps the challenge valid',
  async (t) => {
    const caller = await aCaller(app)
    const { credential, passkey } = createPasskey(await creationOptions(caller))
    await makeOld(caller.user.id)
    const old = [403, 'reauthentication-required']
    t.same(refusal(await caller.call('POST', '/api/user/passkeys/options')), old)
    t.same(refusal(await caller.call('POST', '/api/user/passkeys', { credential })), old)
    const proof = { password: 'correct horse battery' }
    const proved = await caller.call('POST', '/api/auth/reauthenticate', proof)
    const cookie = cookieOf(proved)
    const added = await caller.call('POST', '/api/user/passkeys', { credential }, { cookie })
    t.equal(added.statusCode, 201, 'the same response again')

    await makeOld(caller.user.id)
    const now = { cookie: cookieOf(added) }
    const url = `/api/user/passkeys/${added.json().id}`
    const refused = await caller.call('DELETE', url, undefined, now)
    t.match(refused.json(), { code: 'reauthentication-required', methods: ['passkey'] })
    const call: typeof caller.call = (method, path, body) => caller.call(method, path, body, now)
    const again = await provePasskey({ ...caller, call }, passkey)
    const headers = { cookie: cookieOf(again) }
    t.equal((await caller.call('DELETE', url, undefined, headers)).statusCode, 204)
  }
)

t.test('the last factor stays while the account or a role needs it', async (t) => {
  const caller = await withPasskey(t, await aCaller(app))
  const url = `/api/user/passkeys/${caller.id}`
  const { id: userId } = caller.user
  await app.db.update(users).set({ secondFactor: true }).where(eq(users.id, userId))
  t.same(refusal(await caller.call('DELETE', url)), [409, 'last-second-factor'])
  await app.db.update(users).set({ secondFactor: false }).where(eq(users.id, userId))
  await grantRole(app.db, operator, { userId, role: await aStrictRole() })
  t.same(refusal(await caller.call('DELETE', url)), [409, 'last-second-factor'])
  const second = await withPasskey(t, caller)
  t.equal((await second.call('DELETE', url)).statusCode, 204, 'another one is left')
})

t.test('the first passkey for a role that needs one takes a token', async (t) => {
  const role = await aStrictRole('users:read')
  const caller = await aCaller(app, role)
  const { id: userId } = caller.user
  const { credential } = createPasskey(await creationOptions(caller))
  const add = (token?: string) =>
    caller.call('POST', '/api/user/passkeys', { credential, ...(token && { token }) })
  t.same(refusal(await add()), [403, 'enrolment-token-required'])
  t.same(refusal(await add('wrong')), [400, 'invalid-token'])
  const other = await aCaller(app)
  const tokenOf = async (id: string) => {
    const token = { purpose: 'factor-enrolment' as const, owner: { userId: id }, expiresIn: 600 }
    return (await createLinkToken(app.db, token))?.token
  }
  t.same(refusal(await add(await tokenOf(other.user.id))), [400, 'invalid-token'])
  t.same(await app.db.select().from(passkeys).where(eq(passkeys.userId, userId)), [])
  const added = await add(await tokenOf(userId))
  t.equal(added.statusCode, 201)
  const headers = { cookie: cookieOf(added) }
  const me = await app.inject({ url: '/api/auth/me', headers })
  t.match(me.json().user, { suspendedRoles: [] })
  t.ok(me.json().user.permissions.includes('users:read'), 'the role counts now')
})

t.test('a thief with the password adds no passkey to those of a role that needs one', async (t) => {
  const caller = await withPasskey(t, await aCaller(app))
  const role = await aStrictRole()
  await grantRole(app.db, operator, { userId: caller.user.id, role })
  const thief = await callerOf(app, caller.user)
  const refused = await thief.call('POST', '/api/user/passkeys/options')
  t.match(refused.json(), { code: 'reauthentication-required', methods: ['passkey'] })
  const { credential } = createPasskey(await creationOptions(caller))
  const own = await thief.call('POST', '/api/user/passkeys', { credential })
  t.same(refusal(own), [400, 'invalid-passkey'], 'nor with the challenge of another session')
  t.same(refusal(await thief.call('DELETE', `/api/user/passkeys/${caller.id}`)), [
    403,
    'reauthentication-required'
  ])
})
