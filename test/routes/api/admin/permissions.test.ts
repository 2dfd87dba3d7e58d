import t from 'tap'
import { aCaller, activityOf, aRole, testApp } from '../../../support/app.ts'

const app = await testApp(t)
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
  t.match((await call('POST', '/api/admin/permissions', { key: 'users:read' })).json(), {
    status: 409,
    code: 'permission-exists'
  })
  t.match((await call('POST', '/api/admin/permissions', { key: 'users' })).json(), {
    status: 400,
    errors: [{ pointer: '/key', code: 'malformed' }]
  })
  t.match((await call('DELETE', '/api/admin/permissions/users:read')).json(), {
    status: 409,
    code: 'system-entity'
  })
  t.match((await call('PATCH', '/api/admin/permissions/no:such', { description: 'x' })).json(), {
    status: 404
  })
  t.match((await call('PATCH', '/api/admin/permissions/users:read', {})).json(), {
    status: 400,
    errors: [{ code: 'empty' }]
  })
})
