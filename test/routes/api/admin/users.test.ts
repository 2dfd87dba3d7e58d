import t from 'tap'
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
} from '../../../helpers.ts'
import { updateUser } from '../../../../src/domain/accounts/update.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')
const nobody = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'
const itemsOf = async (url: string): Promise<{ id: string; email: string; name: string }[]> =>
  (await call('GET', url)).json().items

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
    lastLoginAt: null,
    profile: { locale: 'en-US', bio: null }
  })
  t.same(Object.keys(made.json()).sort(), [
    'createdAt',
    'email',
    'id',
    'lastLoginAt',
    'name',
    'profile',
    'roles',
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

for (const [what, payload, status, match] of [
  [
    'a registered e-mail address',
    { email: 'TAKEN@example.com', name: 'x' },
    409,
    { code: 'email-taken' }
  ],
  [
    'an invalid e-mail address',
    { email: 'x', name: 'x' },
    400,
    { errors: [{ pointer: '/email' }] }
  ],
  [
    'a role',
    { email: 'x@example.com', name: 'x', roles: ['admin'] },
    400,
    { errors: [{ pointer: '', code: 'unknown-property' }] }
  ],
  [
    'a short password',
    { email: 'x@example.com', name: 'x', password: 'short' },
    400,
    { errors: [{ pointer: '/password', code: 'too-short' }] }
  ],
  [
    'an invalid profile',
    { email: 'x@example.com', name: 'x', profile: { locale: '!' } },
    400,
    { errors: [{ pointer: '/profile/locale' }] }
  ]
] as const) {
  t.test(`creating a user with ${what} is rejected`, async (t) => {
    await call('POST', '/api/admin/users', { email: 'taken@example.com', name: 'x' })
    const response = await call('POST', '/api/admin/users', payload)
    t.equal(response.statusCode, status)
    t.match(response.json(), match)
  })
}

t.test('a merge patch changes the named fields, and records each kind of change', async (t) => {
  const user = await aUser(app.database)
  const email = freshEmail()
  const patched = await call('PATCH', `/api/admin/users/${user.id}`, {
    email,
    name: 'Grace',
    theme: 'dark',
    profile: { bio: 'Admiral' },
    status: 'deactivated'
  })
  t.equal(patched.statusCode, 200)
  t.match(patched.json(), {
    email,
    name: 'Grace',
    theme: 'dark',
    status: 'deactivated',
    profile: { bio: 'Admiral', location: null }
  })
  await call('PATCH', `/api/admin/users/${user.id}`, { status: 'active' })
  t.match(
    (await activityOf(app.database, user.id)).map((record) => [record.action, record.details]),
    [
      ['user.reactivate', {}],
      ['user.deactivate', { revoked: 0 }],
      [
        'user.update',
        {
          fields: ['email', 'name', 'theme', 'bio'],
          before: { email: user.email },
          after: { email }
        }
      ],
      ['auth.register', {}]
    ]
  )
})

t.test(
  'a patch with equal values changes neither version nor time and is not recorded',
  async (t) => {
    const user = await aUser(app.database)
    const before = await call('GET', `/api/admin/users/${user.id}`)
    const after = await call('PATCH', `/api/admin/users/${user.id}`, {
      name: user.name,
      status: 'active',
      email: user.email
    })
    t.same([after.headers.etag, after.json()], [before.headers.etag, before.json()])
    t.equal((await activityOf(app.database, user.id)).length, 1)
    const empty = await call('PATCH', `/api/admin/users/${user.id}`, {})
    t.equal(empty.statusCode, 400)
    t.match(empty.json().errors, [{ code: 'empty' }])
  }
)

t.test(
  'the ETag changes with the user and their roles, and a stale If-Match is rejected',
  async (t) => {
    const user = await aUser(app.database)
    const url = `/api/admin/users/${user.id}`
    const role = await aRole(app.database)
    const etag = async () => String((await call('GET', url)).headers.etag)
    const seen = [await etag()]
    for (const change of [
      () => call('PATCH', url, { name: 'Grace' }, { 'if-match': seen.at(-1) }),
      () => call('PUT', `${url}/roles/${role}`),
      () => call('DELETE', `/api/admin/roles/${role}`),
      () => call('DELETE', `${url}/roles/user`)
    ]) {
      t.match((await change()).statusCode, /^20/)
      seen.push(await etag())
    }
    t.equal(new Set(seen).size, seen.length, seen.join(' '))
    for (const stale of [seen[0], '"0"', 'W/' + seen.at(-1), 'no tag', '""']) {
      for (const method of ['PATCH', 'DELETE'] as const) {
        const response = await call(
          method,
          url,
          method === 'PATCH' ? { name: 'Lost' } : undefined,
          { 'if-match': stale }
        )
        t.equal(response.statusCode, 412, String(stale))
        t.match(response.json(), { code: 'precondition-failed' })
      }
    }
    t.equal(
      (await call('PATCH', url, { name: 'Kept' }, { 'if-match': `"0", ${seen.at(-1)}` }))
        .statusCode,
      200,
      'one of several'
    )
    t.equal(
      (await call('PATCH', url, { name: 'Kept too' }, { 'if-match': '*' })).statusCode,
      200,
      'any'
    )
  }
)

t.test('only one of many patches with the same ETag succeeds', async (t) => {
  const user = await aUser(app.database)
  const url = `/api/admin/users/${user.id}`
  const { etag } = (await call('GET', url)).headers
  const statuses = await Promise.all(
    Array.from(
      { length: 8 },
      async (_, n) =>
        (await call('PATCH', url, { name: `Name ${n}` }, { 'if-match': etag })).statusCode
    )
  )
  t.same(statuses.toSorted(), [200, ...Array.from({ length: 7 }, () => 412)])
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
    t.equal(
      (await call(method, `/api/admin/users/${nobody}${path}`, payload)).statusCode,
      404,
      `${method} ${path}`
    )
    const malformed = await call(method, `/api/admin/users/1${path}`, payload)
    t.equal(malformed.statusCode, 400)
    t.match(malformed.json(), { errors: [{ pointer: '/path/id', code: 'malformed' }] })
  }
  const user = await aUser(app.database)
  const missing = await call('PUT', `/api/admin/users/${user.id}/roles/no-such-role`)
  t.equal(missing.statusCode, 404)
  t.match(missing.json(), { code: 'role-not-found' })
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

t.test(
  'users are filtered by part of name or e-mail address, status and role, in every sort order',
  async (t) => {
    const app = await testApp(t)
    const { call } = await aCaller(app, 'admin')
    const made: { id: string; name: string; status: string }[] = []
    for (const [email, name] of [
      ['zoe@one.example', 'Ada Lovelace'],
      ['yan@one.example', 'Lovelock'],
      ['xia@two.example', '100% _Real\\'],
      ['wim@two.example', '王伟'],
      ['ada@two.example', 'Bo']
    ] as const) {
      made.push((await call('POST', '/api/admin/users', { email, name })).json())
    }
    const [, lovelock, real, , bo] = made
    await updateUser(app.db, operator, {
      id: lovelock?.id ?? '',
      changes: { status: 'deactivated' }
    })
    const role = await aRole(app.database)
    for (const user of [real, bo]) await call('PUT', `/api/admin/users/${user?.id}/roles/${role}`)
    const found = async (query: string) =>
      (await call('GET', `/api/admin/users?${query}`))
        .json()
        .items.map((item: { id: string }) => made.findIndex((each) => each.id === item.id))
        .filter((n: number) => n >= 0) // the administrator is called Ada as well

    t.same(await found('q=LOVE&sort=createdAt'), [0, 1])
    t.same(await found('q=ada&sort=createdAt'), [0, 4], 'the name of one, the address of the other')
    t.same(await found('q=%40TWO.example&sort=createdAt'), [2, 3, 4], 'a domain')
    t.same(await found('q=two&sort=createdAt'), [2, 3, 4], 'the middle of an address')
    t.same(await found('q=tw'), [], 'two letters only at the beginning')
    t.same(await found('q=%25'), [], 'no wildcard: it counts at the beginning, being short')
    t.same(await found(`q=${encodeURIComponent('00% _R')}`), [2])
    t.same(await found(`q=${encodeURIComponent('Real\\')}`), [2])
    t.same(await found('q=lo'), [1], 'two letters count at the beginning')
    t.same(await found(`q=${encodeURIComponent('王')}`), [3])
    t.same(await found('q=lov&status=deactivated'), [1])
    t.same(await found(`role=${role}&sort=email`), [4, 2])
    t.same(await found(`role=${role}&sort=-email&q=xia`), [2])
    t.same(await found('role=nobody-has-it'), [])
    t.same(await found('status=active&sort=-email'), [0, 2, 3, 4])
    t.equal((await found('sort=name&limit=200')).length, 5)
  }
)

t.test(
  'pages link to the next by cursor and Link header, and together list every user once',
  async (t) => {
    for (let n = 0; n < 5; n++) await aUser(app.database)
    for (const query of [
      '',
      'sort=createdAt',
      'sort=email',
      'sort=-name',
      'status=active&sort=email',
      'role=user',
      'q=ada&sort=-email'
    ]) {
      const all = await itemsOf(`/api/admin/users?limit=200&${query}`)
      const walked = []
      let url: string | undefined = `/api/admin/users?limit=3&${query}`
      while (url) {
        const response = await call('GET', url)
        const { items, nextCursor } = response.json()
        walked.push(...items)
        const link = /^<(.*)>; rel="next"$/.exec(String(response.headers.link))?.[1]
        t.equal(
          link ? new URL(link, 'http://localhost').searchParams.get('cursor') : null,
          nextCursor
        )
        url = link
      }
      t.ok(all.length > 5)
      t.same(walked, all, query)
    }
  }
)

t.test('pages list each existing user once while a thousand users are added', async (t) => {
  const app = await testApp(t)
  const { call } = await aCaller(app, 'admin')
  const before = new Set<string>()
  for (let n = 0; n < 60; n++) before.add((await aUser(app.database)).id)
  let adding = true
  const added = (async () => {
    for (let n = 0; n < 1000; n += 5) {
      await Promise.all(
        Array.from({ length: 5 }, () =>
          call('POST', '/api/admin/users', { email: freshEmail(), name: `Z${n}` })
        )
      )
    }
    adding = false
  })()
  let walks = 0
  for (const sort of ['createdAt', '-createdAt', 'email', '-email', 'name', '-name']) {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { items: { id: string }[]; nextCursor: string | null } = (
        await call('GET', `/api/admin/users?limit=25&sort=${sort}${cursor && `&cursor=${cursor}`}`)
      ).json()
      seen.push(...page.items.map((item) => item.id))
      cursor = page.nextCursor
      if (new Set(seen).size < seen.length) break
    }
    if (adding) walks += 1
    t.equal(new Set(seen).size, seen.length, `${sort}: none twice`)
    t.same(
      [...before].filter((id) => !seen.includes(id)),
      [],
      `${sort}: none missed`
    )
  }
  t.ok(walks >= 1, 'at least one walk was over before the adding was')
  await added
})

t.test('invalid page parameters are rejected, each for its own reason', async (t) => {
  const { nextCursor } = (await call('GET', '/api/admin/users?limit=1&sort=email')).json()
  const refusals: [query: string, pointer: string][] = [
    ['limit=0', '/query/limit'],
    ['limit=201', '/query/limit'],
    ['limit=x', '/query/limit'],
    ['limit=', '/query/limit'],
    ['limit=1.5', '/query/limit'],
    ['limit=1&limit=2', '/query/limit'],
    ['sort=passwordHash', '/query/sort'],
    ['sort=--email', '/query/sort'],
    ['status=gone', '/query/status'],
    ['role=Not%20a%20key', '/query/role'],
    ['q=', '/query/q'],
    ['q=a%00b', '/query/q'],
    ['page=2', '/query'],
    ['cursor=', '/query/cursor']
  ]
  for (const [query, pointer] of refusals) {
    const response = await call('GET', `/api/admin/users?${query}`)
    t.equal(response.statusCode, 400, query)
    t.match(response.json(), { code: 'invalid-request', errors: [{ pointer }] }, query)
  }
  const tampered = `${nextCursor.slice(0, 30)}${nextCursor[30] === 'A' ? 'B' : 'A'}${nextCursor.slice(31)}`
  for (const cursor of [
    'x',
    '!!',
    nextCursor.slice(0, -4),
    nextCursor.slice(4),
    tampered,
    Buffer.from('["a@example.com"]').toString('base64url')
  ]) {
    const response = await call('GET', `/api/admin/users?sort=email&cursor=${cursor}`)
    t.equal(response.statusCode, 400, cursor)
    t.match(response.json(), { code: 'invalid-cursor' })
  }
  for (const query of [
    'sort=-email',
    'sort=createdAt',
    '',
    'sort=email&status=active',
    'sort=email&q=ada'
  ]) {
    t.match(
      (await call('GET', `/api/admin/users?${query}&cursor=${nextCursor}`)).json(),
      { code: 'invalid-cursor' },
      `not with ${query}`
    )
  }
  const other = await aCaller(app, 'admin')
  t.match(
    (await other.call('GET', `/api/admin/users?sort=email&cursor=${nextCursor}`)).json(),
    { code: 'invalid-cursor' },
    'not by another user'
  )
  t.match(
    (await call('GET', `/api/admin/roles?cursor=${nextCursor}`)).json(),
    { code: 'invalid-cursor' },
    'not for another list'
  )
  t.equal(
    (await call('GET', `/api/admin/users?sort=email&limit=7&cursor=${nextCursor}`)).statusCode,
    200,
    'another length is fine'
  )
})
