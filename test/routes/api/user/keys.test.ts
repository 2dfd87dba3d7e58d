import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../../../db/schema/sessions.ts'
import { verifyEmail } from '../../../../src/domain/administration/users.ts'
import { startMailServer } from '../../../mail/server.ts'
import {
  aCaller,
  activityOf,
  aRole,
  operator,
  ownApp,
  testApp,
  until
} from '../../../support/app.ts'
import { fillKeys, keyCaller } from '../../../support/keys.ts'
import { confirmed, mailsOf } from '../../../support/mails.ts'
import { userPermissions } from '../../../support/permissions.ts'
import { rejects } from '../../../support/scenarios.ts'
import {
  anAppFor,
  aRequiringRole,
  sessionsOf,
  signedInWithCode
} from '../../../support/second-factors.ts'

const app = await testApp(t)
const creator = await aRole(app.database, 'keys:create')

t.test('a user creates a key that acts with their permissions, and revokes it', async (t) => {
  const { user, call } = await aCaller(app, creator)
  const created = await call('POST', '/api/user/keys', { name: ' Nightly report ' })
  t.equal(created.statusCode, 201)
  t.match(created.json(), {
    name: 'Nightly report',
    state: 'active',
    permissions: null,
    networks: null,
    secret: /^portal_[A-Za-z0-9_-]{43}_[0-9A-Za-z]{6}$/,
    revokedAt: null,
    lastUsedAt: null
  })
  const { secret, ...shown } = created.json()
  t.equal(shown.lastFour, secret.slice(-4))
  t.equal(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt), 90 * 86_400_000)
  t.same((await call('GET', '/api/user/keys')).json(), { items: [shown], nextCursor: null })

  const key = keyCaller(app, secret)
  t.match((await key.me()).json(), {
    owner: { type: 'user', id: user.id, label: user.email },
    key: { id: shown.id, name: 'Nightly report' },
    permissions: ['keys:create', ...userPermissions].sort()
  })
  t.equal((await call('DELETE', `/api/user/keys/${shown.id}`)).statusCode, 204)
  t.equal((await key.me()).statusCode, 401)
  const again = await call('DELETE', `/api/user/keys/${shown.id}`)
  t.match(again.json(), { status: 404, code: 'key-not-found' })
  t.match((await call('GET', '/api/user/keys')).json().items, [{ state: 'revoked' }])
  const ofKeys = await until(async () => {
    const records = await activityOf(app.database, user.id)
    const found = records.filter(({ action }) => action.startsWith('key.'))
    return found.length === 4 ? found : undefined
  })
  t.same(ofKeys.map(({ action }) => action).sort(), [
    'key.create',
    'key.rejected',
    'key.revoke',
    'key.use'
  ])
  t.ok(ofKeys.every(({ details }) => details.key === shown.id))
})

t.test('creating a key takes the permission, which only administrators have', async (t) => {
  const { call } = await aCaller(app)
  const refused = await call('POST', '/api/user/keys', { name: 'A key' })
  t.match(refused.json(), { status: 403, code: 'permission-denied' })
  t.same((await call('GET', '/api/user/keys')).json().items, [])
  const admin = await aCaller(app, 'admin')
  t.equal((await admin.call('POST', '/api/user/keys', { name: 'A key' })).statusCode, 201)
})

t.test('a role that requires a second factor counts for keys of sessions with one', async (t) => {
  const strict = await aRequiringRole(app, 'users:read')
  const { user, call } = await aCaller(app, creator, strict)
  const permissionsOf = async (creating: typeof call) => {
    const created = await creating('POST', '/api/user/keys', { name: 'A key' })
    const { me } = keyCaller(app, created.json().secret)
    return async () => (await me()).json().permissions as string[]
  }
  const ofPassword = await permissionsOf(call)
  t.notOk((await ofPassword()).includes('users:read'))
  const cookie = await signedInWithCode(app, user.email, await anAppFor(app, user))
  const ofCode = await permissionsOf(sessionsOf(app).callerWith(cookie))
  t.ok((await ofCode()).includes('users:read'))
  t.notOk((await ofPassword()).includes('users:read'), 'also now that the user has one')
})

t.test('a key without a recent authentication is refused', async (t) => {
  const { user, call } = await aCaller(app, creator)
  await app.db
    .update(sessions)
    .set({ createdAt: sql`now() - interval '11 minutes'` })
    .where(eq(sessions.userId, user.id))
  const refused = await call('POST', '/api/user/keys', { name: 'A key' })
  t.match(refused.json(), {
    status: 403,
    code: 'reauthentication-required',
    methods: ['password']
  })
  t.same((await call('GET', '/api/user/keys')).json().items, [])
})

t.test('where mail is delivered, no key is created before the address is confirmed', async (t) => {
  const { url } = await startMailServer(t, { tls: 'none' })
  const live = await ownApp(t, { MAIL_URL: url, MAIL_FROM: 'portal@example.com' })
  const { user, call } = await aCaller(live, await aRole(live.database, 'keys:create'))
  const refused = await call('POST', '/api/user/keys', { name: 'A key' })
  t.match(refused.json(), { status: 403, code: 'email-unverified' })
  t.same((await call('GET', '/api/user/keys')).json().items, [])
  await confirmed(live.database, user)
  t.equal((await call('POST', '/api/user/keys', { name: 'A key' })).statusCode, 201)
})

t.test('a key cannot have a permission that its owner lacks, or that nobody has', async (t) => {
  const { call } = await aCaller(app, creator)
  const lacking = await call('POST', '/api/user/keys', {
    name: 'A key',
    permissions: ['profile:read', 'users:read']
  })
  t.match(lacking.json(), { status: 403, code: 'exceeds-own-permissions' })
  const unknown = await call('POST', '/api/user/keys', {
    name: 'A key',
    permissions: ['profile:read', 'no:such']
  })
  t.match(unknown.json(), {
    status: 400,
    errors: [{ pointer: '/permissions/1', code: 'unknown-permission' }]
  })
})

t.test('nobody revokes the key of somebody else as their own', async (t) => {
  const [owner, thief] = [await aCaller(app, creator), await aCaller(app, creator)]
  const { id, secret } = (await owner.call('POST', '/api/user/keys', { name: 'A key' })).json()
  const refused = await thief.call('DELETE', `/api/user/keys/${id}`)
  t.match(refused.json(), { status: 404, code: 'key-not-found' })
  t.equal((await keyCaller(app, secret).me()).statusCode, 200)
})

t.test('a new password leaves keys, and the response says how many', async (t) => {
  const { call } = await aCaller(app, creator)
  const change = (currentPassword: string, newPassword: string) =>
    call('PUT', '/api/user/password', { currentPassword, newPassword })
  const { secret } = (await call('POST', '/api/user/keys', { name: 'A key' })).json()
  const changed = await change('correct horse battery', 'a better horse battery')
  t.match(changed, { statusCode: 204, headers: { 'portal-active-keys': '1' } })
  t.equal((await keyCaller(app, secret).me()).statusCode, 200)
})

t.test('without a key, the response to a new password says nothing about keys', async (t) => {
  const { call } = await aCaller(app)
  const changed = await call('PUT', '/api/user/password', {
    currentPassword: 'correct horse battery',
    newPassword: 'a better horse battery'
  })
  t.equal(changed.headers['portal-active-keys'], undefined)
})

t.test('blank names, long lives and bad networks are rejected by field', async (t) => {
  const { call } = await aCaller(app, creator)
  const key = (changes: object) => ({ name: 'A key', ...changes })
  const eleven = Array.from({ length: 11 }, (_, n) => `192.0.2.${n}`)
  await rejects(t, call, 'POST /api/user/keys', [
    ['a blank name', key({ name: ' ' }), '/name too-short'],
    ['a long name', key({ name: 'x'.repeat(81) }), '/name too-long'],
    ['more than a year', key({ days: 366 }), '/days out-of-range'],
    ['no day', key({ days: 0 }), '/days out-of-range'],
    ['33 bits', key({ networks: ['192.0.2.0/33'] }), '/networks/0 malformed'],
    ['a name', key({ networks: ['example.com'] }), '/networks/0 malformed'],
    ['no network', key({ networks: [] }), '/networks too-short'],
    ['eleven networks', key({ networks: eleven }), '/networks too-many']
  ])
})

t.test('an owner has at most fifty keys, even if the last ones are created at once', async (t) => {
  const { user, call } = await aCaller(app, creator)
  await fillKeys(app.database, { userId: user.id }, 48)
  const create = async () => (await call('POST', '/api/user/keys', { name: 'A key' })).statusCode
  const statuses = await Promise.all(Array.from({ length: 5 }, create))
  t.same(statuses.sort(), [201, 201, 409, 409, 409])
  const refused = await call('POST', '/api/user/keys', { name: 'A key' })
  t.match(refused.json(), { status: 409, code: 'too-many-keys' })
  const [first] = (await call('GET', '/api/user/keys?limit=1')).json().items
  await call('DELETE', `/api/user/keys/${first.id}`)
  t.equal(await create(), 201)
})

t.test('the owner of a key gets mail about it, without the key', async (t) => {
  const mailing = await testApp(t)
  const mails = mailsOf(mailing)
  const { user, call } = await aCaller(mailing, await aRole(mailing.database, 'keys:create'))
  await verifyEmail(mailing.db, operator, { userId: user.id })
  const { secret, lastFour } = (
    await call('POST', '/api/user/keys', { name: 'Nightly report' })
  ).json()
  const mail = await mails.newest(user.email, 'key-created')
  t.match(mail.text, `Nightly report (…${lastFour})`)
  t.notMatch(mail.text, secret)
})
