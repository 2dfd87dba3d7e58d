import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { apiKeys } from '../../db/schema/services.ts'
import { createPermission, deletePermission } from '../../src/domain/access/custom-permissions.ts'
import { grantPermission } from '../../src/domain/access/memberships.ts'
import { listKeys } from '../../src/domain/keys/keys.ts'
import { createServiceKey } from '../../src/domain/services/key-creation.ts'
import { deleteService } from '../../src/domain/services/services.ts'
import { aCaller, activityOf, aRole, aUser, operator, signedIn, testApp } from '../support/app.ts'
import { aService, aServiceKey, fillKeys, keyCaller } from '../support/keys.ts'
import { aConfirmedCaller, mailsOf } from '../support/mails.ts'
import { clientOf } from '../support/requests.ts'
import { sessionsOf } from '../support/second-factors.ts'

const app = await testApp(t)
const { db } = app
const mails = mailsOf(app)
const { post } = clientOf(app)
const { callerWith } = sessionsOf(app)

t.test('an owner creates at most 50 keys within 24 hours, whatever becomes of them', async (t) => {
  const { user, call } = await aCaller(app, await aRole(app.database, 'keys:create'))
  await fillKeys(app.database, { userId: user.id }, 50)
  const own = eq(apiKeys.userId, user.id)
  await db
    .update(apiKeys)
    .set({ createdAt: sql`now()`, revokedAt: sql`now()` })
    .where(own)
  const refused = await call('POST', '/api/user/keys', { name: 'One more' })
  t.match(refused.json(), { status: 409, code: 'too-many-keys', detail: /within 24 hours/ })
  await db
    .update(apiKeys)
    .set({ createdAt: sql`${apiKeys.createdAt} - interval '1 day'` })
    .where(own)
  t.equal((await call('POST', '/api/user/keys', { name: 'One more' })).statusCode, 201)
})

t.test('keys from before a recovery do not keep the owner from creating new ones', async (t) => {
  const { user, call } = await aConfirmedCaller(app, await aRole(app.database, 'keys:create'))
  await fillKeys(app.database, { userId: user.id }, 50)
  await db
    .update(apiKeys)
    .set({ createdAt: sql`now()` })
    .where(eq(apiKeys.userId, user.id))
  const create = (by: typeof call) => by('POST', '/api/user/keys', { name: 'One more' })
  t.match((await create(call)).json(), { status: 409, code: 'too-many-keys' })
  const newPassword = 'taken back by its owner'
  await post('/api/auth/recovery', { email: user.email })
  const token = await mails.token(user.email, 'recovery')
  const recovered = await post('/api/auth/recovery/confirm', { token, newPassword })
  t.equal(recovered.statusCode, 204)
  const owner = callerWith(await signedIn(app, user.email, {}, newPassword))
  const statuses = new Set<number>()
  for (let count = 0; count < 50; count++) statuses.add((await create(owner)).statusCode)
  t.same([...statuses], [201])
  t.match((await create(owner)).json(), { status: 409, code: 'too-many-keys' })
})

t.test('a service is not named like the id of a user', async (t) => {
  const admin = await aCaller(app, 'admin')
  const user = await aUser(app.database)
  const refused = await admin.call('POST', '/api/admin/services', { key: user.id, name: 'A' })
  t.match(refused.json(), { status: 400, errors: [{ pointer: '/key', code: 'malformed' }] })
})

t.test('a key does not get a permission back that was deleted and created again', async (t) => {
  const role = await aRole(app.database)
  const key = 'receipts:read'
  const create = async () => {
    await createPermission(db, operator, { key })
    await grantPermission(db, operator, { role, permission: key })
  }
  await create()
  const service = await aService(app.database, role)
  const limited = await aServiceKey(app.database, service, { permissions: [key] })
  const status = async () =>
    (await keyCaller(app, limited.secret).check(`&permission=${key}`)).statusCode
  t.equal(await status(), 204)
  await deletePermission(db, operator, { key })
  t.equal(await status(), 403)
  await create()
  t.equal(await status(), 403)
  const all = await aServiceKey(app.database, service)
  t.equal((await keyCaller(app, all.secret).check(`&permission=${key}`)).statusCode, 204)
})

t.test(
  'records name the limits of a new key, and how many keys ended with a service',
  async (t) => {
    const service = await aService(app.database)
    const created = await createServiceKey(db, operator, {
      service: service.key,
      name: 'A key',
      networks: ['192.0.2.0/24']
    })
    await aServiceKey(app.database, service)
    await deleteService(db, operator, { key: service.key })
    const records = await activityOf(app.database, service.id)
    const of = (action: string) => records.filter((each) => each.action === action)
    t.match(of('key.create').at(-1)?.details, {
      networks: ['192.0.2.0/24'],
      expiresAt: created.expiresAt.toISOString()
    })
    t.match(of('service.delete'), [{ details: { service: service.key, count: 2 } }])
  }
)

t.test('the keys of a user are not those of a service with the same id', async (t) => {
  const service = await aService(app.database)
  const key = await aServiceKey(app.database, service)
  const list = async (type: 'user' | 'service') => {
    const owner = { type, id: service.id }
    return (await listKeys(db, { owner, limit: 10, sort: '-createdAt' })).items.map(({ id }) => id)
  }
  t.same(await list('service'), [key.id])
  t.same(await list('user'), [])
})
