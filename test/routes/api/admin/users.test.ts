import t from 'tap'
import {
  aCaller,
  activityOf,
  aRole,
  aUser,
  freshEmail,
  password,
  signedIn,
  testApp
} from '../../../support/app.ts'
import { rejects, scenarios } from '../../../support/scenarios.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')
const nobody = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'

t.test('a user is created with the given values and defaults, and found at Location', async (t) => {
  const email = freshEmail()
  const made = await call('POST', '/api/admin/users', {
    email,
    name: ' Grace  Hopper ',
    password,
    theme: 'dark',
    profile: { locale: 'en-us' }
  })
  t.equal(made.statusCode, 201)
  t.match(made.json(), {
    email,
    name: 'Grace  Hopper',
    theme: 'dark',
    status: 'active',
    roles: ['user'],
    emailVerified: false,
    lastLoginAt: null,
    profile: { locale: 'en-US', bio: null }
  })
  t.same(Object.keys(made.json()).sort(), [
    'createdAt',
    'deleteAt',
    'email',
    'emailVerified',
    'id',
    'lastLoginAt',
    'name',
    'profile',
    'roles',
    'secondFactor',
    'status',
    'theme',
    'updatedAt'
  ])
  const found = await call('GET', String(made.headers.location))
  t.same(found.json(), made.json())
  t.equal(found.headers.etag, made.headers.etag)
  t.ok(await signedIn(app, email))
  t.match(await activityOf(app.database, made.json().id), [
    { action: 'user.create', details: { email } }
  ])
})

t.test('a read with the tag of its response is 304 until anything in it changes', async (t) => {
  const email = freshEmail()
  const { headers } = await call('POST', '/api/admin/users', { email, name: 'Grace', password })
  const url = String(headers.location)
  const tag = String(headers.etag)
  const read = (...tags: string[]) =>
    call('GET', url, undefined, { 'if-none-match': tags.join(', ') })
  for (const tags of [[tag], [`W/${tag}`], ['"other"', tag], ['*']]) {
    const { statusCode, body, headers } = await read(...tags)
    t.same([statusCode, body, headers.etag, headers['content-type']], [304, '', tag, undefined])
  }
  t.ok(await signedIn(app, email))
  const changed = await read(tag)
  t.match(changed.json(), { email, lastLoginAt: String })
  t.not(changed.headers.etag, tag)
  const update = await call('PATCH', url, { name: 'Grace Hopper' }, { 'if-match': tag })
  t.equal(update.statusCode, 200, 'what a change is based on is still the same')
})

t.test('a user is created with an address that counts as confirmed', async (t) => {
  const body = { email: freshEmail(), name: 'Grace', emailVerified: true }
  t.match((await call('POST', '/api/admin/users', body)).json(), { emailVerified: true })
})

t.test('a user without a password cannot sign in until one is set', async (t) => {
  const email = freshEmail()
  const { id } = (await call('POST', '/api/admin/users', { email, name: 'Grace' })).json()
  const signIn = async () =>
    (await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } }))
      .statusCode
  t.equal(await signIn(), 401)
  t.equal((await call('PUT', `/api/admin/users/${id}/password`, { password })).statusCode, 204)
  t.equal(await signIn(), 200)
})

t.test('a user that cannot be created is rejected by its field', async (t) => {
  const user = (changes: object) => ({ email: 'x@example.com', name: 'x', ...changes })
  await rejects(t, call, 'POST /api/admin/users', [
    ['an invalid e-mail address', user({ email: 'x' }), '/email invalid-email'],
    ['a role', user({ roles: ['admin'] }), ' unknown-property'],
    ['a short password', user({ password: 'short' }), '/password too-short'],
    ['an invalid profile', user({ profile: { locale: '!' } }), '/profile/locale invalid-locale']
  ])
  const taken = freshEmail()
  await scenarios(t, call, [
    ['a new address', 'POST /api/admin/users', user({ email: taken }), 201],
    ['the same', 'POST /api/admin/users', user({ email: taken.toUpperCase() }), 409, 'email-taken']
  ])
})

t.test('a user is deleted once, and not found the second time', async (t) => {
  const user = await aUser(app.database)
  t.equal((await call('DELETE', `/api/admin/users/${user.id}`)).statusCode, 204)
  for (const method of ['GET', 'DELETE'] as const) {
    const response = await call(method, `/api/admin/users/${user.id}`)
    t.equal(response.statusCode, 404)
    t.match(response.json(), { code: 'user-not-found' })
  }
})

t.test('an unknown id is not found, and a malformed id is rejected', async (t) => {
  for (const [method, path, payload] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['PUT', '/password', { password }],
    ['PUT', '/roles/user', undefined],
    ['DELETE', '/roles/user', undefined]
  ] as const) {
    const to = (id: string) => `${method} /api/admin/users/${id}${path}` as const
    await scenarios(t, call, [
      ['unknown', to(nobody), payload, 404, 'user-not-found'],
      ['malformed', to('1'), payload, 400, '/path/id malformed']
    ])
  }
  const { id } = await aUser(app.database)
  const noRole = `PUT /api/admin/users/${id}/roles/no-such-role` as const
  await scenarios(t, call, [['no role', noRole, undefined, 404, 'role-not-found']])
})

t.test('granting and revoking a role is idempotent', async (t) => {
  const user = await aUser(app.database)
  const role = await aRole(app.database)
  for (let n = 0; n < 2; n++) {
    t.equal((await call('PUT', `/api/admin/users/${user.id}/roles/${role}`)).statusCode, 204)
  }
  t.same((await call('GET', `/api/admin/users/${user.id}`)).json().roles, [role, 'user'])
  for (let n = 0; n < 2; n++) {
    t.equal((await call('DELETE', `/api/admin/users/${user.id}/roles/${role}`)).statusCode, 204)
  }
  t.same(
    (await activityOf(app.database, user.id)).map((record) => [record.action, record.details]),
    [
      ['user.role-revoke', { role }],
      ['user.role-grant', { role }],
      ['auth.register', {}]
    ]
  )
})
