import t from 'tap'
import { deleteUser } from '../../../../src/domain/administration/users.ts'
import { aCaller, activityOf, aRole, operator, testApp } from '../../../support/app.ts'
import { aService, aServiceKey, fillKeys, keyCaller } from '../../../support/keys.ts'
import { scenarios } from '../../../support/scenarios.ts'

const app = await testApp(t)
const admin = await aCaller(app, 'admin')

t.test('a service is created, changed, given a role and a key, and deleted', async (t) => {
  const created = await admin.call('POST', '/api/admin/services', {
    key: 'reporting',
    name: ' Reporting ',
    description: 'Writes the nightly report'
  })
  t.equal(created.statusCode, 201)
  t.equal(created.headers.location, '/api/admin/services/reporting')
  t.match(created.json(), {
    key: 'reporting',
    name: 'Reporting',
    status: 'active',
    roles: [],
    permissions: []
  })
  const again = await admin.call('POST', '/api/admin/services', { key: 'reporting', name: 'X' })
  t.match(again.json(), { status: 409, code: 'service-exists' })

  const role = await aRole(app.database, 'users:read')
  const path = '/api/admin/services/reporting'
  t.equal((await admin.call('PUT', `${path}/roles/${role}`)).statusCode, 204)
  t.equal((await admin.call('PUT', `${path}/roles/${role}`)).statusCode, 204, 'without effect')
  t.match((await admin.call('GET', path)).json(), { roles: [role], permissions: ['users:read'] })
  t.match((await admin.call('PUT', `${path}/roles/nothing`)).json(), { code: 'role-not-found' })

  const key = (await admin.call('POST', `${path}/keys`, { name: 'Nightly', days: 1 })).json()
  const { secret, ...shown } = key
  t.same((await admin.call('GET', `${path}/keys`)).json().items, [shown])
  const owner = { type: 'service', id: created.json().id, label: 'reporting' }
  const all = await admin.call('GET', `/api/admin/keys?owner=${created.json().id}&expiring=2`)
  t.same(all.json().items, [{ ...shown, owner }])
  t.match((await keyCaller(app, secret).me()).json(), { owner, permissions: ['users:read'] })

  t.equal((await admin.call('PATCH', path, { status: 'deactivated' })).statusCode, 200)
  t.equal((await keyCaller(app, secret).me()).statusCode, 401)
  t.equal((await admin.call('PATCH', path, { status: 'active' })).statusCode, 200)
  t.equal((await keyCaller(app, secret).me()).statusCode, 200)
  t.equal((await admin.call('DELETE', `${path}/roles/${role}`)).statusCode, 204)
  t.same((await keyCaller(app, secret).me()).json().permissions, [])
  t.equal((await admin.call('DELETE', path)).statusCode, 204)
  t.equal((await keyCaller(app, secret).me()).statusCode, 401)
  t.match((await admin.call('GET', path)).json(), { status: 404, code: 'service-not-found' })
  const actions = (await activityOf(app.database, created.json().id)).map(({ action }) => action)
  t.same(actions.filter((action) => !['key.use', 'key.rejected'].includes(action)).reverse(), [
    'service.create',
    'service.role-grant',
    'key.create',
    'service.update',
    'service.update',
    'service.role-revoke',
    'service.delete'
  ])
})

t.test('a change that is based on an older state is refused', async (t) => {
  const { key } = await aService(app.database)
  const { etag } = (await admin.call('GET', `/api/admin/services/${key}`)).headers
  const change = (name: string) =>
    admin.call('PATCH', `/api/admin/services/${key}`, { name }, { 'if-match': String(etag) })
  t.equal((await change('One')).statusCode, 200)
  t.match((await change('Two')).json(), { status: 412, code: 'precondition-failed' })
})

t.test('nobody gives a service, or takes from its keys, what they lack', async (t) => {
  const manager = await aCaller(
    app,
    await aRole(
      app.database,
      'services:read',
      'services:create',
      'services:update',
      'services:delete',
      'keys:revoke'
    )
  )
  const strong = await aRole(app.database, 'users:delete')
  const [weak, powerful] = [await aService(app.database), await aService(app.database, strong)]
  const key = await aServiceKey(app.database, powerful)
  const path = `/api/admin/services/${powerful.key}`
  const refused = [403, 'exceeds-own-permissions'] as const
  const none = { name: 'A key', permissions: [] }
  await scenarios(t, manager.call, [
    ['a role', `PUT /api/admin/services/${weak.key}/roles/${strong}`, undefined, ...refused],
    ['a lesser role', `PUT ${path}/roles/user`, undefined, ...refused],
    ['without its role', `DELETE ${path}/roles/${strong}`, undefined, ...refused],
    ['a key', `POST ${path}/keys`, { name: 'A key' }, ...refused],
    ['a key without permissions', `POST ${path}/keys`, none, ...refused],
    ['deactivated', `PATCH ${path}`, { status: 'deactivated' }, ...refused],
    ['deleted', `DELETE ${path}`, undefined, ...refused],
    ['without its key', `DELETE /api/admin/keys/${key.id}`, undefined, ...refused]
  ])
  t.equal((await keyCaller(app, key.secret).me()).statusCode, 200)
  t.equal((await manager.call('PATCH', path, { name: 'Other' })).statusCode, 200)
  const own = await manager.call('POST', `/api/admin/services/${weak.key}/keys`, { name: 'A key' })
  t.equal(own.statusCode, 201)
  const exceeding = await admin.call('POST', `/api/admin/services/${weak.key}/keys`, {
    name: 'A key',
    permissions: ['users:delete']
  })
  t.match(exceeding.json(), { status: 403, code: 'exceeds-own-permissions' })
})

t.test(
  'a role that requires a second factor counts for no service, and for its grant',
  async (t) => {
    const role = await aRole(app.database, 'users:delete')
    const required = await admin.call('PATCH', `/api/admin/roles/${role}`, {
      requiresSecondFactor: true
    })
    t.equal(required.statusCode, 200)
    const service = await aService(app.database, role)
    const { secret } = await aServiceKey(app.database, service)
    t.same((await keyCaller(app, secret).me()).json().permissions, [])
    const manager = await aCaller(app, await aRole(app.database, 'services:update'))
    const refused = await manager.call('POST', `/api/admin/services/${service.key}/keys`, {
      name: 'A key'
    })
    t.match(refused.json(), { code: 'exceeds-own-permissions' }, 'it may count again later')
  }
)

t.test('a service has at most fifty keys, even if the last ones are created at once', async (t) => {
  const service = await aService(app.database)
  await fillKeys(app.database, { serviceId: service.id }, 48)
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => aServiceKey(app.database, service))
  )
  const refused = results.filter((result) => result.status === 'rejected')
  t.equal(refused.length, 3)
  t.match(refused, [{ reason: { code: 'too-many-keys' } }])
})

t.test('an administrator revokes the key of a user, and a deleted user has none', async (t) => {
  const creator = await aRole(app.database, 'keys:create')
  const { user, call } = await aCaller(app, creator)
  const [first, second] = [
    (await call('POST', '/api/user/keys', { name: 'One' })).json(),
    (await call('POST', '/api/user/keys', { name: 'Two' })).json()
  ]
  const listed = await admin.call('GET', `/api/admin/keys?owner=${user.id}`)
  t.match(listed.json().items, [
    { name: 'Two', owner: { type: 'user', id: user.id, label: user.email } },
    { name: 'One' }
  ])
  t.equal((await admin.call('DELETE', `/api/admin/keys/${first.id}`)).statusCode, 204)
  t.equal((await keyCaller(app, first.secret).me()).statusCode, 401)
  t.equal((await keyCaller(app, second.secret).me()).statusCode, 200)
  const again = await admin.call('DELETE', `/api/admin/keys/${first.id}`)
  t.match(again.json(), { status: 404, code: 'key-not-found' })
  await deleteUser(app.context, operator, { id: user.id })
  t.equal((await keyCaller(app, second.secret).me()).statusCode, 401)
  t.same((await admin.call('GET', `/api/admin/keys?owner=${user.id}`)).json().items, [])
})
