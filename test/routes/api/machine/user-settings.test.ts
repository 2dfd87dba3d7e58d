import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { apiKeys } from '../../../../db/schema/services.ts'
import { userSettings } from '../../../../db/schema/users.ts'
import { deleteUser } from '../../../../src/domain/administration/users.ts'
import { grantServiceRole, revokeServiceRole } from '../../../../src/domain/services/services.ts'
import { changeSettings } from '../../../../src/domain/settings/settings.ts'
import { aCaller, activityOf, aRole, aUser, operator } from '../../../support/app.ts'
import { aMachine } from '../../../support/keys.ts'
import { ownSettingsApp, schemaFile, settingsApp } from '../../../support/settings.ts'

t.test('a service writes the app settings of a user, who reads them', async (t) => {
  const app = await settingsApp(t)
  const { user, call } = await aCaller(app)
  const machine = await aMachine(app, 'app-settings:read', 'app-settings:update')
  const url = `/api/machine/users/${user.id}/app-settings`
  const changed = await machine.call('PATCH', url, { plan: 'pro', limits: { seats: 2 } })
  t.same(changed.json(), { plan: 'pro', limits: { seats: 2, projects: 3 } })
  t.match(changed.headers.etag, /^"1-/)
  t.same((await call('GET', '/api/user/app-settings')).json(), changed.json())
  t.same((await machine.call('GET', url)).json(), changed.json())
  const replaced = await machine.call('PUT', url, { limits: {} }, { 'if-match': '"1"' })
  t.same(replaced.json(), { plan: 'free', limits: { projects: 3 } })
  const [last] = await activityOf(app.database, user.id)
  t.match(last, {
    action: 'user.settings-update',
    actorType: 'service',
    actorId: machine.service.id,
    actorLabel: machine.service.key,
    details: { part: 'app', fields: ['plan', 'limits'], key: machine.keyId }
  })
})

t.test('a service reads user settings and cannot write them', async (t) => {
  const app = await settingsApp(t)
  const { user, call } = await aCaller(app)
  await call('PATCH', '/api/user/settings', { startPage: 'calendar' })
  const machine = await aMachine(app, 'app-settings:read', 'app-settings:update')
  const url = `/api/machine/users/${user.id}/settings`
  t.same((await machine.call('GET', url)).json(), { startPage: 'calendar' })
  t.equal((await machine.call('PATCH', url, { startPage: 'inbox' })).statusCode, 405)
})

t.test('the permissions of the key decide', async (t) => {
  const app = await settingsApp(t)
  const user = await aUser(app.database)
  const url = `/api/machine/users/${user.id}/app-settings`
  const reader = await aMachine(app, 'app-settings:read')
  t.equal((await reader.call('GET', url)).statusCode, 200)
  t.match((await reader.call('PATCH', url, { plan: 'pro' })).json(), { code: 'permission-denied' })
  const nobody = await aMachine(app)
  t.match((await nobody.call('GET', url)).json(), { code: 'permission-denied' })
})

t.test('a key is for machines, and a session for users', async (t) => {
  const app = await settingsApp(t)
  const { user, call } = await aCaller(app, 'admin')
  const machine = await aMachine(app, 'app-settings:read', 'app-settings:update', 'settings:read')
  for (const url of ['/api/user/settings', `/api/admin/users/${user.id}/app-settings`]) {
    t.equal((await machine.call('GET', url)).statusCode, 401)
  }
  t.equal((await call('GET', `/api/machine/users/${user.id}/app-settings`)).statusCode, 401)
})

t.test('a service that has lost its role cannot finish a write', async (t) => {
  const app = await settingsApp(t)
  const user = await aUser(app.database)
  const machine = await aMachine(app, 'app-settings:update')
  const url = `/api/machine/users/${user.id}/app-settings`
  t.equal((await machine.call('PATCH', url, { plan: 'pro' })).statusCode, 200)
  await revokeServiceRole(app.db, operator, { service: machine.service.key, role: machine.role })
  t.match((await machine.call('PATCH', url, { plan: 'free' })).json(), {
    code: 'permission-denied'
  })
})

t.test('a key is judged again after the locks of the change', async (t) => {
  const app = await settingsApp(t)
  const { id: userId } = await aUser(app.database)
  const { service, role, keyId } = await aMachine(app, 'app-settings:update')
  const actor = { type: 'service', source: 'api', id: service.id, keyId } as const
  const write = (plan: string) =>
    changeSettings(app.context, actor, {
      userId,
      part: 'app',
      permission: 'app-settings:update',
      change: { patch: { plan } }
    })
  t.match(await write('pro'), { document: { plan: 'pro' } })
  await revokeServiceRole(app.db, operator, { service: service.key, role })
  await t.rejects(write('free'), { code: 'permission-denied' })
  await grantServiceRole(app.db, operator, { service: service.key, role })
  t.match(await write('free'), { document: { plan: 'free' } })
  await app.db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, keyId))
  await t.rejects(write('pro'), { code: 'unauthenticated' })
})

t.test('a key of a user may do what its owner may, and no more than its list', async (t) => {
  const app = await settingsApp(t)
  const role = await aRole(app.database, 'app-settings:read', 'app-settings:update', 'keys:create')
  const owner = await aCaller(app, role)
  const url = `/api/machine/users/${owner.user.id}/app-settings`
  const writeWith = async (permissions?: string[]) => {
    const created = await owner.call('POST', '/api/user/keys', { name: 'A key', permissions })
    return app.inject({
      method: 'PATCH',
      url,
      headers: { authorization: `Bearer ${created.json().secret}` },
      payload: { plan: 'pro' }
    })
  }
  t.match((await writeWith(['app-settings:read'])).json(), { code: 'permission-denied' })
  t.equal((await writeWith()).statusCode, 200)
  // The use of the key is on record as well, some time later.
  const records = await activityOf(app.database, owner.user.id)
  const change = records.find(({ action }) => action === 'user.settings-update')
  t.match(change, { actorType: 'user', actorId: owner.user.id })
})

t.test('a user who does not exist has no settings', async (t) => {
  const app = await settingsApp(t)
  const user = await aUser(app.database)
  const machine = await aMachine(app, 'app-settings:read', 'app-settings:update')
  await machine.call('PATCH', `/api/machine/users/${user.id}/app-settings`, { plan: 'pro' })
  await deleteUser(app.context, operator, { id: user.id })
  for (const id of [user.id, randomUUID()]) {
    const url = `/api/machine/users/${id}/app-settings`
    t.match((await machine.call('GET', url)).json(), { code: 'user-not-found' })
    t.match((await machine.call('PATCH', url, { plan: 'pro' })).json(), { code: 'user-not-found' })
  }
  t.equal(await app.db.$count(userSettings, eq(userSettings.userId, user.id)), 0)
})

t.test('a user and a service change their parts at the same moment', async (t) => {
  const app = await settingsApp(t)
  const { user, call } = await aCaller(app)
  const machine = await aMachine(app, 'app-settings:update')
  const results = await Promise.all([
    call('PATCH', '/api/user/settings', { startPage: 'calendar' }, { 'if-match': '"0"' }),
    machine.call(
      'PATCH',
      `/api/machine/users/${user.id}/app-settings`,
      { plan: 'pro' },
      { 'if-match': '"0"' }
    )
  ])
  t.same(
    results.map(({ statusCode }) => statusCode),
    [200, 200]
  )
})

t.test('a runaway service is slowed down like a user', async (t) => {
  const app = await ownSettingsApp(t, schemaFile, { THROTTLE_WRITES: { burst: 1, seconds: 3600 } })
  const user = await aUser(app.database)
  const machine = await aMachine(app, 'app-settings:update')
  const url = `/api/machine/users/${user.id}/app-settings`
  t.equal((await machine.call('PATCH', url, {})).statusCode, 200)
  t.equal((await machine.call('PATCH', url, {})).statusCode, 429)
  const other = await aMachine(app, 'app-settings:update')
  t.equal((await other.call('PATCH', url, {})).statusCode, 200)
})
