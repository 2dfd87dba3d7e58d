import t from 'tap'
import { grantRole } from '../../../../src/domain/access/memberships.ts'
import { createServiceKey } from '../../../../src/domain/services/new-keys.ts'
import {
  aCaller,
  activityOf,
  aRole,
  aUser,
  freshEmail,
  operator,
  password,
  signedIn,
  testApp
} from '../../../support/app.ts'
import { aFlag } from '../../../support/flags.ts'
import { aMachine, aServiceKey } from '../../../support/keys.ts'
import { aConfirmedCaller, mailsOf } from '../../../support/mails.ts'
import { userPermissions } from '../../../support/permissions.ts'
import { scenarios } from '../../../support/scenarios.ts'
import { aRequiringRole } from '../../../support/second-factors.ts'

const app = await testApp(t, { MACHINE_ADMIN: 'on' })
const off = await testApp(t)
const nobody = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'

/** The operations of a document below `/api/machine`, as `METHOD /path permission`. */
async function operationsOf(instance: typeof app) {
  const { paths } = (await instance.inject('/openapi.json')).json() as {
    paths: Record<string, Record<string, { 'x-access': string }>>
  }
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/machine/'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, each]) => `${method.toUpperCase()} ${path} ${each['x-access']}`
      )
    )
}

const always = await operationsOf(off)
const commands = (await operationsOf(app))
  .filter((each) => !always.includes(each))
  .map((each) => {
    const [method = '', path = '', , permission = ''] = each.split(' ')
    const url = path.replace('{id}', nobody).replace('{key}', 'user')
    return { method: method as 'GET', url, permission, route: path.replace(/\{(\w+)\}/g, ':$1') }
  })

t.test('without MACHINE_ADMIN, commands are 404 and not in the document', async (t) => {
  t.ok(commands.length >= 12)
  const machine = await aMachine(off, ...new Set(commands.map(({ permission }) => permission)))
  const found = []
  for (const { method, url } of commands) {
    const { statusCode } = await machine.call(method, url, method === 'GET' ? undefined : {})
    found.push(`${method} ${url} ${statusCode}`)
  }
  t.same(
    found,
    commands.map(({ method, url }) => `${method} ${url} 404`)
  )
})

t.test('a command with the session of an administrator is 401', async (t) => {
  const { call } = await aCaller(app, 'admin')
  for (const { method, url } of commands) {
    const response = await call(method, url, method === 'GET' ? undefined : {})
    t.equal(response.statusCode, 401, `${method} ${url}`)
  }
})

t.test('a command without its permission is 403, and recorded with the key', async (t) => {
  const permissions = [...new Set(commands.map(({ permission }) => permission))]
  const machine = await aMachine(app, ...permissions)
  for (const { method, url, permission, route } of commands) {
    const others = permissions.filter((each) => each !== permission)
    const { service } = machine
    const limited = await aServiceKey(app.database, service, { permissions: others })
    const response = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${limited.secret}` },
      ...(method !== 'GET' && { payload: {} })
    })
    t.equal(response.statusCode, 403, `${method} ${url}`)
    const { items } = (
      await (
        await aCaller(app, 'admin')
      ).call('GET', `/api/admin/activity?action=access.denied&actorId=${service.id}&limit=1`)
    ).json()
    t.match(items[0], {
      reason: 'permission-denied',
      actorLabel: service.key,
      details: { route: `${method} ${route}`, permission, actorKey: limited.id }
    })
  }
})

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

t.test('links are mailed to the user, and are in no response', async (t) => {
  const machine = await aMachine(
    app,
    ...userPermissions,
    'users:create',
    'users:update',
    'flags:read'
  )
  const mails = mailsOf(app)
  const email = freshEmail()
  const body = { email, name: 'Ada', link: 'invitation' }
  const made = await machine.call('POST', '/api/machine/users', body)
  t.equal(made.statusCode, 201, made.body)
  const { id } = made.json()
  const invitation = await mails.token(email, 'invitation')

  const sent = await machine.call('POST', `/api/machine/users/${id}/link`, { kind: 'recovery' })
  t.equal(sent.statusCode, 202)
  t.same(sent.json(), {})
  const recovery = await mails.newest(email, 'recovery')
  t.notMatch(recovery.text, 'Ada', 'the address is not confirmed')
  const token = await mails.token(email, 'recovery')
  t.notMatch(made.body + sent.body, new RegExp(`${token}|${invitation}`))
  const used = await app.inject({
    method: 'POST',
    url: '/api/auth/recovery/confirm',
    payload: { token, newPassword: password }
  })
  t.equal(used.statusCode, 204, used.body)
  t.match(await activityOf(app.database, id), [
    { action: 'auth.recovery' },
    { action: 'user.reset-link', actorId: machine.service.id },
    { action: 'user.create' }
  ])
  t.ok(await signedIn(app, email))
})

t.test('a link for a second factor is mailed to a confirmed address only', async (t) => {
  const role = await aRequiringRole(app, 'flags:read')
  const machine = await aMachine(app, ...userPermissions, 'users:update', 'flags:read')
  const { user } = await aConfirmedCaller(app)
  const stranger = await aUser(app.database)
  for (const { id } of [user, stranger]) {
    await grantRole(app.db, operator, { userId: id, role })
  }
  const link = (id: string) => `POST /api/machine/users/${id}/link` as const
  const body = { kind: 'enrolment' }
  const other = await aUser(app.database)
  await scenarios(t, machine.call, [
    ['confirmed', link(user.id), body, 202],
    ['not confirmed', link(stranger.id), body, 403, 'email-unverified'],
    ['without the role', link(other.id), body, 409, 'enrolment-link-not-needed']
  ])
  t.ok(await mailsOf(app).token(user.email, 'factor-enrolment'))
  t.match(await activityOf(app.database, user.id), [
    { action: 'user.enrolment-link', actorId: machine.service.id },
    { action: 'user.role-grant' }
  ])
})

t.test('without mail nobody is created, and no link is sent', async (t) => {
  const silent = await testApp(t, {
    ...{ MACHINE_ADMIN: 'on', development: false },
    PUBLIC_ORIGIN: 'https://portal.example.com'
  })
  const machine = await aMachine(
    silent,
    ...userPermissions,
    'users:create',
    'users:read',
    'users:update'
  )
  const email = freshEmail()
  const { id } = await aUser(silent.database)
  await scenarios(t, machine.call, [
    [
      'invite',
      'POST /api/machine/users',
      { email, name: 'Ada', link: 'invitation' },
      403,
      'mail-off'
    ],
    ['link', `POST /api/machine/users/${id}/link`, { kind: 'recovery' }, 403, 'mail-off'],
    ['nobody', `GET /api/machine/users?email=${email}`, undefined, 200, { items: [] }]
  ])
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
