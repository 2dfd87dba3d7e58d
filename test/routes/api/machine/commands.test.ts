import t from 'tap'
import { grantRole } from '../../../../src/domain/access/memberships.ts'
import { createServiceKey } from '../../../../src/domain/services/key-creation.ts'
import {
  aCaller,
  activityOf,
  aRole,
  aUser,
  freshEmail,
  operator,
  testApp
} from '../../../support/app.ts'
import { aFlag } from '../../../support/flags.ts'
import { aMachine } from '../../../support/keys.ts'
import { aConfirmedCaller } from '../../../support/mails.ts'
import { userPermissions } from '../../../support/permissions.ts'
import { scenarios } from '../../../support/scenarios.ts'

const app = await testApp(t, { MACHINE_ADMIN: 'on' })

t.test('a service creates a user, finds, changes and deactivates them', async (t) => {
  const machine = await aMachine(
    app,
    ...userPermissions,
    'users:read',
    'users:create',
    'users:update'
  )
  const email = freshEmail()
  const made = await machine.call('POST', '/api/machine/users', { email, name: 'Ada' })
  t.equal(made.statusCode, 201, made.body)
  const { id } = made.json()
  t.equal(made.headers.location, `/api/machine/users/${id}`)
  const url = `/api/machine/users/${id}`
  t.same((await machine.call('GET', url)).json(), made.json())

  const search = async (query: string) =>
    (await machine.call('GET', `/api/machine/users?${query}`))
      .json()
      .items.map((user: { id: string }) => user.id)
  t.same(await search(`email=${email.toUpperCase().replace('EXAMPLE', 'Example')}`), [id])
  t.same(await search(`email=${email.slice(1)}`), [], 'the whole address')
  t.same(await search(`email=${email}&status=deactivated`), [])
  t.same(await search(`q=${email.slice(1, 20)}`), [id])

  const moved = freshEmail()
  const changed = await machine.call('PATCH', url, { email: moved, name: 'Ada King' })
  t.match(changed.json(), { email: moved, name: 'Ada King' })
  const stale = { 'if-match': String(made.headers.etag) }
  t.match((await machine.call('PATCH', url, { name: 'Eve' }, stale)).json(), {
    code: 'precondition-failed'
  })
  t.match((await machine.call('PATCH', url, { status: 'deactivated' })).json(), {
    status: 'deactivated'
  })
  const actor = {
    actorType: 'service',
    actorId: machine.service.id,
    actorLabel: machine.service.key,
    details: { actorKey: machine.keyId }
  }
  t.match(await activityOf(app.database, id), [
    { action: 'user.deactivate', ...actor },
    { action: 'user.update', ...actor },
    { action: 'user.create', ...actor }
  ])
})

t.test('the id of a user in a body is refused', async (t) => {
  const machine = await aMachine(app, ...userPermissions, 'users:create', 'users:update')
  const { id } = await aUser(app.database)
  const victim = await aUser(app.database)
  await scenarios(t, machine.call, [
    [
      'create',
      'POST /api/machine/users',
      { id: victim.id, email: freshEmail(), name: 'Ada' },
      400,
      [' unknown-property']
    ],
    [
      'update',
      `PATCH /api/machine/users/${id}`,
      { id: victim.id, name: 'Eve' },
      400,
      [' unknown-property']
    ],
    [
      'link',
      `POST /api/machine/users/${id}/link`,
      { id: victim.id, kind: 'recovery' },
      400,
      [' unknown-property']
    ]
  ])
})

t.test('a key with users:create alone makes no administrator and reads no user', async (t) => {
  const machine = await aMachine(app, 'users:create')
  const known = await aUser(app.database)
  const created = { email: freshEmail(), name: 'Ada' }
  const { id } = (await machine.call('POST', '/api/machine/users', created)).json()
  await scenarios(t, machine.call, [
    ['grant', `PUT /api/machine/users/${id}/roles/admin`, undefined, 403, 'permission-denied'],
    ['update', `PATCH /api/machine/users/${id}`, { name: 'Eve' }, 403, 'permission-denied'],
    ['read', `GET /api/machine/users/${id}`, undefined, 403, 'permission-denied'],
    [
      'a known address',
      `GET /api/machine/users?email=${known.email}`,
      undefined,
      403,
      'permission-denied'
    ],
    [
      'an unknown one',
      `GET /api/machine/users?email=${freshEmail()}`,
      undefined,
      403,
      'permission-denied'
    ],
    [
      'roles in a body',
      'POST /api/machine/users',
      { email: freshEmail(), name: 'Ada', roles: ['admin'] },
      400,
      [' unknown-property']
    ]
  ])
})

t.test('a service touches no user who has a permission that it lacks', async (t) => {
  const machine = await aMachine(
    app,
    ...userPermissions,
    'users:create',
    'users:update',
    'sessions:revoke'
  )
  const admin = await aCaller(app, 'admin')
  const stronger = await aRole(app.database, 'flags:delete')
  const { id } = await aUser(app.database)
  const exceeds = 'exceeds-own-permissions'
  const one = `/api/machine/users/${admin.user.id}`
  await scenarios(t, machine.call, [
    ['status', `PATCH ${one}`, { status: 'deactivated' }, 403, exceeds],
    ['address', `PATCH ${one}`, { email: freshEmail() }, 403, exceeds],
    ['sessions', `DELETE ${one}/sessions`, undefined, 403, exceeds],
    ['recovery', `POST ${one}/link`, { kind: 'recovery' }, 403, exceeds],
    ['enrolment', `POST ${one}/link`, { kind: 'enrolment' }, 403, exceeds],
    ['revoke', `DELETE ${one}/roles/admin`, undefined, 403, exceeds],
    ['grant', `PUT /api/machine/users/${id}/roles/admin`, undefined, 403, exceeds],
    ['a role', `PUT /api/machine/users/${id}/roles/${stronger}`, undefined, 403, exceeds]
  ])
  t.equal((await admin.call('GET', '/api/auth/me')).statusCode, 200)
})

t.test('the list of a key limits what its service may grant', async (t) => {
  const machine = await aMachine(app, ...userPermissions, 'users:update', 'flags:read')
  const role = await aRole(app.database, 'flags:read')
  const { id } = await aUser(app.database)
  const limits = { permissions: [...userPermissions, 'users:update'] }
  const limited = await createServiceKey(app.db, operator, {
    ...{ service: machine.service.key, name: 'Limited', ...limits }
  })
  const refused = await app.inject({
    method: 'PUT',
    url: `/api/machine/users/${id}/roles/${role}`,
    headers: { authorization: `Bearer ${limited.secret}` }
  })
  t.match(refused.json(), { code: 'exceeds-own-permissions' })
  const granted = await machine.call('PUT', `/api/machine/users/${id}/roles/${role}`)
  t.equal(granted.statusCode, 204)
})

t.test('a role that a service grants and revokes counts with the next request', async (t) => {
  const machine = await aMachine(
    app,
    ...userPermissions,
    'users:update',
    'flags:read',
    'roles:read'
  )
  const role = await aRole(app.database, 'flags:read')
  const { user, call } = await aCaller(app)
  const rolesOf = async () => (await call('GET', '/api/auth/me')).json().user.roles as string[]
  const url = `/api/machine/users/${user.id}/roles/${role}`
  t.equal((await machine.call('PUT', url)).statusCode, 204)
  t.ok((await rolesOf()).includes(role))
  t.equal((await machine.call('DELETE', url)).statusCode, 204)
  t.notOk((await rolesOf()).includes(role))
  const list = await machine.call('GET', '/api/machine/roles?limit=200')
  t.match(
    list.json().items.find(({ key }: { key: string }) => key === role),
    { permissions: ['flags:read'] }
  )
})

t.test('a service ends all sessions of a user', async (t) => {
  const machine = await aMachine(app, ...userPermissions, 'sessions:revoke')
  const { user, call } = await aCaller(app)
  const url = `/api/machine/users/${user.id}/sessions`
  t.equal((await machine.call('DELETE', url)).statusCode, 204)
  t.equal((await call('GET', '/api/auth/me')).statusCode, 401)
})

t.test('the key of an administrator does not change the account of its owner', async (t) => {
  const { user, call } = await aConfirmedCaller(app)
  await grantRole(app.db, operator, { userId: user.id, role: 'admin' })
  const { secret } = (await call('POST', '/api/user/keys', { name: 'A key' })).json()
  const byKey = (method: 'PATCH' | 'POST', url: string, payload: object) =>
    app.inject({ method, url, payload, headers: { authorization: `Bearer ${secret}` } })
  const own = `/api/machine/users/${user.id}`
  const refused = { code: 'reauthentication-required' }
  t.match((await byKey('PATCH', own, { email: freshEmail() })).json(), refused)
  t.match((await byKey('PATCH', own, { status: 'deactivated' })).json(), refused)
  t.match((await byKey('POST', `${own}/link`, { kind: 'recovery' })).json(), refused)
  const other = await aUser(app.database)
  const changed = await byKey('PATCH', `/api/machine/users/${other.id}`, { name: 'Eve' })
  t.equal(changed.statusCode, 200)
  const [record] = await activityOf(app.database, other.id)
  t.match(record, { action: 'user.update', actorType: 'user', actorId: user.id })
})

t.test('a service reads a flag and switches it off', async (t) => {
  const machine = await aMachine(app, 'flags:read', 'flags:update')
  const { call } = await aCaller(app, 'admin')
  const flag = aFlag()
  t.equal((await call('POST', '/api/admin/flags', flag)).statusCode, 201)
  const url = `/api/machine/flags/${flag.key}`
  const found = await machine.call('GET', url)
  t.same(found.json(), (await call('GET', `/api/admin/flags/${flag.key}`)).json())
  const etag = { 'if-match': String(found.headers.etag) }
  const changed = await machine.call('PATCH', url, { state: 'disabled' }, etag)
  t.match(changed.json(), { state: 'disabled' })
  t.equal((await machine.call('PATCH', url, { state: 'enabled' }, etag)).statusCode, 412)
})

t.test('pages of users that change meanwhile list nobody twice and miss nobody', async (t) => {
  const machine = await aMachine(app, ...userPermissions, 'users:read', 'users:create')
  const before: string[] = []
  for (let n = 0; n < 12; n++) before.push((await aUser(app.database)).id)
  for (const sort of ['createdAt', '-createdAt', 'email', 'name']) {
    const found: string[] = []
    let next: string | null = ''
    do {
      const query: string = `sort=${sort}&limit=5${next ? `&cursor=${next}` : ''}`
      const page: { items: { id: string }[]; nextCursor: string | null } = (
        await machine.call('GET', `/api/machine/users?${query}`)
      ).json()
      found.push(...page.items.map(({ id }) => id))
      next = page.nextCursor
      const added = { email: freshEmail(), name: 'Ada' }
      t.equal((await machine.call('POST', '/api/machine/users', added)).statusCode, 201)
    } while (next !== null && found.length < 500)
    t.equal(new Set(found).size, found.length, `${sort}: nobody twice`)
    const missed = before.filter((id) => !found.includes(id))
    t.same(missed, [], `${sort}: nobody missed`)
  }
})

t.test('the cursor of one service is refused to another', async (t) => {
  const [one, other] = [await aMachine(app, 'users:read'), await aMachine(app, 'users:read')]
  for (let n = 0; n < 2; n++) await aUser(app.database)
  const url = '/api/machine/users?limit=1'
  const { nextCursor } = (await one.call('GET', url)).json()
  t.equal((await one.call('GET', `${url}&cursor=${nextCursor}`)).statusCode, 200)
  const foreign = await other.call('GET', `${url}&cursor=${nextCursor}`)
  t.match(foreign.json(), { code: 'invalid-cursor' })
})
