// Also on PGlite.

import t from 'tap'
import { aCaller, activityOf, aRole, testApp } from '../../../support/app.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')

t.test('a role is created, read, updated and deleted', async (t) => {
  const made = await call('POST', '/api/admin/roles', {
    key: 'support-agent',
    name: 'Support',
    description: 'Answers questions',
    permissions: ['users:read', 'sessions:read']
  })
  t.equal(made.statusCode, 201)
  t.equal(made.headers.location, '/api/admin/roles/support-agent')
  t.match(made.json(), {
    key: 'support-agent',
    name: 'Support',
    description: 'Answers questions',
    system: false,
    permissions: ['sessions:read', 'users:read']
  })
  const found = await call('GET', '/api/admin/roles/support-agent')
  t.same([found.json(), found.headers.etag], [made.json(), made.headers.etag])

  const patched = await call(
    'PATCH',
    '/api/admin/roles/support-agent',
    { description: '' },
    { 'if-match': made.headers.etag }
  )
  t.match(patched.json(), { name: 'Support', description: '' })
  t.not(patched.headers.etag, made.headers.etag)
  t.equal(
    (
      await call(
        'PATCH',
        '/api/admin/roles/support-agent',
        { name: 'Lost' },
        { 'if-match': made.headers.etag }
      )
    ).statusCode,
    412
  )
  t.equal(
    (
      await call('DELETE', '/api/admin/roles/support-agent', undefined, {
        'if-match': made.headers.etag
      })
    ).statusCode,
    412
  )

  t.equal((await call('DELETE', '/api/admin/roles/support-agent')).statusCode, 204)
  for (const method of ['GET', 'DELETE'] as const) {
    t.match((await call(method, '/api/admin/roles/support-agent')).json(), {
      status: 404,
      code: 'role-not-found'
    })
  }
  t.match(
    (await activityOf(app.database, made.json().id)).map((record) => [
      record.action,
      record.details
    ]),
    [
      ['role.delete', { key: 'support-agent', members: 0 }],
      [
        'role.update',
        {
          key: 'support-agent',
          fields: ['description'],
          changes: { description: { from: 'Answers questions', to: '' } }
        }
      ],
      ['role.create', { key: 'support-agent', permissions: ['users:read', 'sessions:read'] }]
    ]
  )
})

t.test('a record of a changed role says from what to what', async (t) => {
  const key = await aRole(app.database)
  const changes = { name: 'Billing', requiresSecondFactor: true }
  const { id } = (await call('PATCH', `/api/admin/roles/${key}`, changes)).json()
  const { items } = (await call('GET', `/api/admin/activity?targetId=${id}&limit=1`)).json()
  t.same(items[0].details.changes, {
    name: { from: 'A role', to: 'Billing' },
    requiresSecondFactor: { from: false, to: true }
  })
})

t.test('a patch with equal values is not a change', async (t) => {
  const key = await aRole(app.database)
  const before = await call('GET', `/api/admin/roles/${key}`)
  t.equal(
    (await call('PATCH', `/api/admin/roles/${key}`, { name: ' A role ' })).headers.etag,
    before.headers.etag
  )
  t.equal((await activityOf(app.database, before.json().id)).length, 1)
})

for (const [what, payload, status, match] of [
  ['an existing key', { key: 'admin', name: 'x' }, 409, { code: 'role-exists' }],
  [
    'a malformed key',
    { key: 'Not A Key', name: 'x' },
    400,
    { errors: [{ pointer: '/key', code: 'malformed' }] }
  ],
  [
    'a key that is too long',
    { key: 'a'.repeat(65), name: 'x' },
    400,
    { errors: [{ pointer: '/key', code: 'too-long' }] }
  ],
  [
    'a blank name',
    { key: 'blank', name: ' ' },
    400,
    { errors: [{ pointer: '/name', code: 'too-short' }] }
  ],
  ['no name', { key: 'blank' }, 400, { errors: [{ pointer: '/name', code: 'required' }] }],
  [
    'unknown permissions',
    { key: 'blank', name: 'x', permissions: ['users:read', 'users:fly', 'no:way'] },
    400,
    {
      errors: [
        { pointer: '/permissions/1', code: 'unknown-permission' },
        { pointer: '/permissions/2' }
      ]
    }
  ],
  [
    'a duplicate permission',
    { key: 'blank', name: 'x', permissions: ['users:read', 'users:read'] },
    400,
    { errors: [{ pointer: '/permissions', code: 'repeated' }] }
  ]
] as const) {
  t.test(`a role with ${what} is rejected`, async (t) => {
    const response = await call('POST', '/api/admin/roles', payload)
    t.equal(response.statusCode, status)
    t.match(response.json(), match)
  })
}

t.test('only one of many concurrent requests creates a role', async (t) => {
  const statuses = await Promise.all(
    Array.from(
      { length: 6 },
      async () => (await call('POST', '/api/admin/roles', { key: 'race', name: 'x' })).statusCode
    )
  )
  t.same(statuses.toSorted(), [201, 409, 409, 409, 409, 409])
})

t.test('system roles cannot be renamed or deleted, and admin keeps every permission', async (t) => {
  for (const [method, url, payload] of [
    ['DELETE', '/api/admin/roles/user', undefined],
    ['DELETE', '/api/admin/roles/admin', undefined],
    ['PATCH', '/api/admin/roles/user', { name: 'Member' }],
    ['DELETE', '/api/admin/roles/admin/permissions/users:read', undefined]
  ] as const) {
    const response = await call(method, url, payload)
    t.equal(response.statusCode, 409, `${method} ${url}`)
    t.match(response.json(), { code: 'system-entity' })
  }
  t.equal(
    (await call('PATCH', '/api/admin/roles/user', { description: 'Everybody' })).json().description,
    'Everybody',
    "a description is the operator's"
  )
  t.equal(
    (await call('PUT', '/api/admin/roles/admin/permissions/users:read')).statusCode,
    204,
    'it has it'
  )
})

t.test('granting and revoking a permission is idempotent', async (t) => {
  const key = await aRole(app.database)
  const url = `/api/admin/roles/${key}`
  const { id } = (await call('GET', url)).json()
  for (let n = 0; n < 2; n++) {
    t.equal((await call('PUT', `${url}/permissions/flags:read`)).statusCode, 204)
  }
  t.same((await call('GET', url)).json().permissions, ['flags:read'])
  for (let n = 0; n < 2; n++) {
    t.equal((await call('DELETE', `${url}/permissions/flags:read`)).statusCode, 204)
  }
  t.match(
    (await activityOf(app.database, id)).map((record) => [record.action, record.details]),
    [
      ['role.permission-revoke', { key, permission: 'flags:read' }],
      ['role.permission-grant', { key, permission: 'flags:read' }],
      ['role.create', {}]
    ]
  )
  t.match((await call('PUT', `${url}/permissions/no:such`)).json(), {
    status: 404,
    code: 'permission-not-found'
  })
  t.match((await call('PUT', '/api/admin/roles/no-such/permissions/flags:read')).json(), {
    status: 404,
    code: 'role-not-found'
  })
  t.match((await call('DELETE', `${url}/permissions/nonsense`)).json(), {
    status: 400,
    errors: [{ pointer: '/path/permission' }]
  })
})

t.test('deleting a role revokes it from its members and records their number', async (t) => {
  const key = await aRole(app.database, 'users:read')
  const { id } = (await call('GET', `/api/admin/roles/${key}`)).json()
  const members = [await aCaller(app, key), await aCaller(app, key)]
  t.equal((await call('DELETE', `/api/admin/roles/${key}`)).statusCode, 204)
  for (const member of members) {
    t.same((await member.call('GET', '/api/auth/me')).json().user.roles, ['user'])
  }
  t.match((await activityOf(app.database, id))[0], {
    action: 'role.delete',
    details: { key, members: 2, permissions: ['users:read'] }
  })
})
