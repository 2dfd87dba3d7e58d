import t from 'tap'
import { aCaller, aRole, aUser, testApp } from '../support/app.ts'
import { aScopedRole, freshScope, granted } from '../support/scopes.ts'

const app = await testApp(t)

t.test('users:update is not enough to change or become a user with more permissions', async (t) => {
  const manager = await aCaller(
    app,
    await aRole(
      app.database,
      'users:read',
      'users:update',
      'users:delete',
      'sessions:read',
      'sessions:revoke',
      'roles:read'
    )
  )
  const admin = await aCaller(app, 'admin')
  const session = (await manager.call('GET', `/api/admin/sessions?userId=${admin.user.id}`)).json()
    .items[0].id
  const stronger = await aRole(app.database, 'flags:delete')
  for (const [method, url, payload] of [
    ['PATCH', `/api/admin/users/${admin.user.id}`, { email: 'mine@example.com' }],
    ['PATCH', `/api/admin/users/${admin.user.id}`, { status: 'deactivated' }],
    ['PUT', `/api/admin/users/${admin.user.id}/password`, { password: 'a better horse battery' }],
    ['DELETE', `/api/admin/users/${admin.user.id}`, undefined],
    ['PUT', `/api/admin/users/${admin.user.id}/roles/user`, undefined],
    ['DELETE', `/api/admin/users/${admin.user.id}/roles/user`, undefined],
    ['DELETE', `/api/admin/users/${admin.user.id}/roles/admin`, undefined],
    ['DELETE', `/api/admin/sessions/${session}`, undefined],
    ['DELETE', `/api/admin/sessions?userId=${admin.user.id}`, undefined],
    ['PUT', `/api/admin/users/${manager.user.id}/roles/admin`, undefined],
    ['PUT', `/api/admin/users/${manager.user.id}/roles/${stronger}`, undefined]
  ] as const) {
    const response = await manager.call(method, url, payload)
    t.equal(response.statusCode, 403, `${method} ${url}`)
    t.match(response.json(), { code: 'exceeds-own-permissions' })
  }
  t.equal(
    (await admin.call('GET', '/api/auth/me')).statusCode,
    200,
    'nothing happened to the administrator'
  )
  t.notOk((await manager.call('GET', '/api/auth/me')).json().user.roles.includes('admin'))
  t.equal(
    (await manager.call('PATCH', `/api/admin/users/${admin.user.id}`, { name: 'Boss' })).statusCode,
    200,
    'a name grants nothing'
  )

  const equal = await aUser(app.database)
  t.equal(
    (await manager.call('PATCH', `/api/admin/users/${equal.id}`, { status: 'deactivated' }))
      .statusCode,
    200,
    'whom one may act on'
  )
})

t.test('nor is it enough to become a user with more permissions in a scope', async (t) => {
  const manager = await aCaller(app, await aRole(app.database, 'users:update', 'users:delete'))
  const user = await aUser(app.database)
  const path = `/api/admin/users/${user.id}`
  await granted(app.database, user, freshScope(), await aScopedRole(app.database, 'flags:delete'))
  for (const [method, url, payload] of [
    ['PATCH', path, { email: 'mine@example.com' }],
    ['PUT', `${path}/password`, { password: 'a better horse battery' }],
    ['DELETE', path, undefined]
  ] as const) {
    t.match((await manager.call(method, url, payload)).json(), { code: 'exceeds-own-permissions' })
  }
})

t.test('roles:update is not enough to grant permissions that the caller lacks', async (t) => {
  const manager = await aCaller(app, await aRole(app.database, 'roles:create', 'roles:update'))
  const target = await aRole(app.database)
  const denied = await manager.call('PUT', `/api/admin/roles/${target}/permissions/users:delete`)
  t.equal(denied.statusCode, 403)
  t.match(denied.json(), { code: 'exceeds-own-permissions' })
  t.equal(
    (
      await manager.call('POST', '/api/admin/roles', {
        key: 'own-admin',
        name: 'Mine',
        permissions: ['users:delete']
      })
    ).statusCode,
    403
  )
  t.equal(
    (
      await manager.call('POST', '/api/admin/roles', {
        key: 'own-role',
        name: 'Mine',
        permissions: ['roles:update']
      })
    ).statusCode,
    201
  )
  t.equal(
    (await manager.call('PUT', `/api/admin/roles/${target}/permissions/roles:update`)).statusCode,
    204
  )
})

t.test('revoking a permission requires the permission itself', async (t) => {
  const admin = await aCaller(app, 'admin')
  await admin.call('POST', '/api/admin/permissions', { key: 'reports:read' })
  const manager = await aCaller(
    app,
    await aRole(app.database, 'roles:update', 'roles:delete', 'permissions:delete', 'flags:read')
  )
  const stronger = await aRole(app.database, 'reports:read', 'flags:read')
  for (const url of [
    `/api/admin/roles/${stronger}/permissions/reports:read`,
    `/api/admin/roles/${stronger}`,
    '/api/admin/permissions/reports:read'
  ]) {
    const response = await manager.call('DELETE', url)
    t.equal(response.statusCode, 403, url)
    t.match(response.json(), { code: 'exceeds-own-permissions' })
  }
  t.same((await admin.call('GET', `/api/admin/roles/${stronger}`)).json().permissions, [
    'flags:read',
    'reports:read'
  ])

  t.equal(
    (await manager.call('DELETE', `/api/admin/roles/${stronger}/permissions/activity:read`))
      .statusCode,
    204,
    'nothing is taken'
  )
  t.equal(
    (await manager.call('DELETE', `/api/admin/roles/${stronger}/permissions/flags:read`))
      .statusCode,
    204,
    'one that they have'
  )
  t.equal(
    (await manager.call('DELETE', `/api/admin/roles/${await aRole(app.database, 'flags:read')}`))
      .statusCode,
    204
  )
  for (const url of [`/api/admin/roles/${stronger}`, '/api/admin/permissions/reports:read']) {
    t.equal((await admin.call('DELETE', url)).statusCode, 204, `${url} for a user who has it`)
  }
})
