// Also on PGlite.

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { aFlag } from '../../../support/flags.ts'
import { aCaller, activityOf, aRole, testApp } from '../../../support/app.ts'
import { rejects, scenarios } from '../../../support/scenarios.ts'

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
  const url = '/api/admin/roles/support-agent'
  const old = { 'if-match': made.headers.etag }
  const none = { 'if-none-match': '*' }
  await scenarios(t, call, [
    ['an old tag', `PATCH ${url}`, { name: 'Lost' }, 412, 'precondition-failed', old],
    ['an old tag', `DELETE ${url}`, undefined, 412, 'precondition-failed', old],
    ['it exists', `PATCH ${url}`, { name: 'Lost' }, 412, 'precondition-failed', none],
    ['it exists', `DELETE ${url}`, undefined, 412, 'precondition-failed', none],
    ['no tag', `DELETE ${url}`, undefined, 204],
    ['deleted', `GET ${url}`, undefined, 404, 'role-not-found'],
    ['deleted', `DELETE ${url}`, undefined, 404, 'role-not-found']
  ])
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

t.test('a role that cannot be created is rejected by its field', async (t) => {
  await rejects(t, call, 'POST /api/admin/roles', [
    ['a malformed key', { key: 'Not A Key', name: 'x' }, '/key malformed'],
    ['a key that is too long', { key: 'a'.repeat(65), name: 'x' }, '/key too-long'],
    ['a blank name', { key: 'blank', name: ' ' }, '/name too-short'],
    ['no name', { key: 'blank' }, '/name required'],
    [
      'unknown permissions',
      { key: 'blank', name: 'x', permissions: ['users:read', 'users:fly', 'no:way'] },
      ['/permissions/1 unknown-permission', '/permissions/2 unknown-permission']
    ],
    [
      'a duplicate permission',
      { key: 'blank', name: 'x', permissions: ['users:read', 'users:read'] },
      '/permissions repeated'
    ]
  ])
  const existing = await call('POST', '/api/admin/roles', { key: 'admin', name: 'x' })
  t.match(existing.json(), { status: 409, code: 'role-exists' })
})

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
  const permission = '/api/admin/roles/admin/permissions/users:read'
  const description = { description: 'Everybody' }
  await scenarios(t, call, [
    ['for all accounts', 'DELETE /api/admin/roles/user', undefined, 409, 'system-entity'],
    ['for administrators', 'DELETE /api/admin/roles/admin', undefined, 409, 'system-entity'],
    ['a name', 'PATCH /api/admin/roles/user', { name: 'Member' }, 409, 'system-entity'],
    ['its permission', `DELETE ${permission}`, undefined, 409, 'system-entity'],
    ["the operator's words", 'PATCH /api/admin/roles/user', description, 200, description],
    ['it has it', `PUT ${permission}`, undefined, 204]
  ])
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
  const none = '/api/admin/roles/no-such'
  await scenarios(t, call, [
    ['unknown', `PUT ${url}/permissions/no:such`, undefined, 404, 'permission-not-found'],
    ['no role', `PUT ${none}/permissions/flags:read`, undefined, 404, 'role-not-found'],
    ['no key', `DELETE ${url}/permissions/nonsense`, undefined, 400, '/path/permission malformed']
  ])
})

t.test('a role that a rule or a segment names is not deleted before them', async (t) => {
  const key = await aRole(app.database, 'users:read')
  const when = { rolesAny: [key] }
  const member = await aCaller(app, key)
  const flag = aFlag({
    rules: [{ users: ['ann'] }, when].map((each) => ({ when: each, serve: { variant: 'on' } }))
  })
  const segment = `segment-${randomUUID().slice(0, 8)}`
  await call('POST', '/api/admin/flags', flag)
  await call('POST', '/api/admin/segments', { key: segment, when })
  const url = `/api/admin/roles/${key}`
  const remove = async () => (await call('DELETE', url)).json()
  const both = `the flag ${flag.key}, the segment ${segment}.`
  t.match(await remove(), { status: 409, code: 'role-in-use', detail: both })
  const remover = await aCaller(app, await aRole(app.database, 'roles:delete', 'users:read'))
  t.match((await remover.call('DELETE', url)).json(), {
    detail: 'Conditions of flags name this role.'
  })
  t.match((await member.call('GET', '/api/auth/me')).json().user.roles, [key], 'nobody lost it')
  await call('PATCH', `/api/admin/flags/${flag.key}`, { rules: [] })
  t.match(await remove(), { detail: `role: the segment ${segment}.` })
  await call('DELETE', `/api/admin/segments/${segment}`)
  t.equal((await call('DELETE', url)).statusCode, 204)
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
