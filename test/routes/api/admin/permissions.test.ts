import t from 'tap'
import { aCaller, activityOf, aRole, ownApp } from '../../../support/app.ts'
import { scenarios } from '../../../support/scenarios.ts'

const app = await ownApp(t)
const { call } = await aCaller(app, 'admin')

t.test(
  'a permission is created and granted to admin, read, updated, and deleted from every role',
  async (t) => {
    const made = await call('POST', '/api/admin/permissions', {
      key: 'invoices:read',
      description: 'See invoices'
    })
    t.equal(made.statusCode, 201)
    t.equal(made.headers.location, '/api/admin/permissions/invoices:read')
    t.match(made.json(), { key: 'invoices:read', description: 'See invoices', system: false })
    t.same((await call('GET', '/api/admin/permissions/invoices:read')).json(), made.json())
    t.ok((await call('GET', '/api/auth/me')).json().user.permissions.includes('invoices:read'))
    t.equal(
      (
        await call('PATCH', '/api/admin/permissions/invoices:read', { description: 'Read them' })
      ).json().description,
      'Read them'
    )
    const key = await aRole(app.database, 'invoices:read')
    const { etag } = (await call('GET', `/api/admin/roles/${key}`)).headers
    t.equal((await call('DELETE', '/api/admin/permissions/invoices:read')).statusCode, 204)
    const role = await call('GET', `/api/admin/roles/${key}`)
    t.same(role.json().permissions, [])
    t.not(role.headers.etag, etag)
    for (const method of ['GET', 'DELETE'] as const) {
      t.match((await call(method, '/api/admin/permissions/invoices:read')).json(), {
        status: 404,
        code: 'permission-not-found'
      })
    }
    t.match(
      (await activityOf(app.database, 'invoices:read')).map((record) => [
        record.action,
        record.details
      ]),
      [
        ['permission.delete', { key: 'invoices:read', roles: 2 }],
        ['permission.update', { changes: { description: { to: 'Read them' } } }],
        ['permission.create', { key: 'invoices:read' }]
      ]
    )
  }
)

t.test('existing, malformed and system permissions are rejected', async (t) => {
  const all = '/api/admin/permissions'
  await scenarios(t, call, [
    ['an existing key', `POST ${all}`, { key: 'users:read' }, 409, 'permission-exists'],
    ['a malformed key', `POST ${all}`, { key: 'users' }, 400, '/key malformed'],
    ['one of the portal', `DELETE ${all}/users:read`, undefined, 409, 'system-entity'],
    ['unknown', `PATCH ${all}/no:such`, { description: 'x' }, 404, 'permission-not-found'],
    ['no change', `PATCH ${all}/users:read`, {}, 400, ' empty']
  ])
})
