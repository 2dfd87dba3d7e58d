import t from 'tap'
import { aCaller, activityOf, aRole, aUser, freshEmail, testApp } from '../../../support/app.ts'
import { scenarios } from '../../../support/scenarios.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')

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
          changes: {
            email: { from: user.email, to: email },
            name: { from: 'Ada Lovelace', to: 'Grace' },
            theme: { from: 'system', to: 'dark' }
          }
        }
      ],
      ['auth.register', {}]
    ]
  )
})

t.test(
  'a record of a changed profile says which fields changed, not from and to what',
  async (t) => {
    const user = await aUser(app.database)
    await call('PATCH', `/api/admin/users/${user.id}`, { profile: { pronouns: 'she/her' } })
    await call('PATCH', `/api/admin/users/${user.id}`, { profile: { pronouns: null } })
    const [second, first] = await activityOf(app.database, user.id)
    t.same([first?.details, second?.details], [{ fields: ['pronouns'] }, { fields: ['pronouns'] }])
  }
)

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
    const latest = String(seen.at(-1))
    for (const stale of [String(seen[0]), '"0"', `W/${latest}`, 'no tag', '""']) {
      const ifMatch = { 'if-match': stale }
      await scenarios(t, call, [
        [stale, `PATCH ${url}`, { name: 'Lost' }, 412, 'precondition-failed', ifMatch],
        [stale, `DELETE ${url}`, undefined, 412, 'precondition-failed', ifMatch]
      ])
    }
    const [several, any] = [{ 'if-match': `"0", ${latest}` }, { 'if-match': '*' }]
    await scenarios(t, call, [
      ['one of several', `PATCH ${url}`, { name: 'Kept' }, 200, { name: 'Kept' }, several],
      ['any', `PATCH ${url}`, { name: 'Kept too' }, 200, { name: 'Kept too' }, any]
    ])
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
