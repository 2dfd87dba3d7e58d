// Also on PGlite.

import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { roles } from '../../../../db/schema/roles.ts'
import { aFlag } from '../../../support/flags.ts'
import { aCaller, activityOf, aRole, testApp } from '../../../support/app.ts'
import { scenarios } from '../../../support/scenarios.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')

t.test('a flag is created, read, updated and deleted', async (t) => {
  const wish = {
    key: 'new-checkout',
    type: 'string',
    description: 'The new way to pay',
    variants: { a: 'Alpha', b: 'Beta' },
    defaultVariant: 'a',
    offVariant: 'b'
  }
  const made = await call('POST', '/api/admin/flags', wish)
  t.equal(made.statusCode, 201)
  t.equal(made.headers.location, '/api/admin/flags/new-checkout')
  t.match(made.json(), { ...wish, state: 'enabled', rules: [], public: false, permanent: false })
  const found = await call('GET', '/api/admin/flags/new-checkout')
  t.same([found.json(), found.headers.etag], [made.json(), made.headers.etag])
  const patched = await call(
    'PATCH',
    '/api/admin/flags/new-checkout',
    { state: 'disabled', variants: { c: 'Gamma', a: null }, defaultVariant: 'c' },
    { 'if-match': made.headers.etag }
  )
  t.match(patched.json(), { state: 'disabled', defaultVariant: 'c', offVariant: 'b' })
  t.same(patched.json().variants, { b: 'Beta', c: 'Gamma' })
  const url = '/api/admin/flags/new-checkout'
  const old = { 'if-match': made.headers.etag }
  await scenarios(t, call, [
    ['an old tag', `PATCH ${url}`, { state: 'enabled' }, 412, 'precondition-failed', old],
    ['an old tag', `DELETE ${url}`, undefined, 412, 'precondition-failed', old],
    ['no tag', `DELETE ${url}`, undefined, 204],
    ['deleted', `GET ${url}`, undefined, 404, 'flag-not-found'],
    ['deleted', `DELETE ${url}`, undefined, 404, 'flag-not-found']
  ])
  t.match(
    (await activityOf(app.database, 'new-checkout')).map((record) => [
      record.action,
      record.details
    ]),
    [
      ['flag.delete', { key: 'new-checkout' }],
      ['flag.update', { fields: ['state', 'variants', 'defaultVariant'] }],
      ['flag.create', { key: 'new-checkout' }]
    ]
  )
})

t.test('a flag is created as permanent, or becomes so later', async (t) => {
  const made = await call('POST', '/api/admin/flags', aFlag({ permanent: true }))
  t.equal(made.json().permanent, true)
  const url = String(made.headers.location)
  for (const permanent of [false, true]) {
    t.equal((await call('PATCH', url, { permanent })).json().permanent, permanent)
    t.equal((await call('GET', url)).json().permanent, permanent)
  }
  t.match((await activityOf(app.database, made.json().key))[0]?.details, { fields: ['permanent'] })
})

t.test('flags of every type keep their values', async (t) => {
  for (const [type, value] of [
    ['boolean', true],
    ['string', 'a "quoted" text'],
    ['number', 0.1],
    ['number', -9e15],
    ['object', { nested: { list: [1, 'two', null, { three: true }] }, '': '' }],
    ['object', {}]
  ] as const) {
    const response = await call(
      'POST',
      '/api/admin/flags',
      aFlag({ type, variants: { only: value }, defaultVariant: 'only', offVariant: 'only' })
    )
    t.equal(response.statusCode, 201)
    t.same(response.json().variants, { only: value })
    t.same((await call('GET', String(response.headers.location))).json().variants, { only: value })
  }
})

t.test('setting equal values in any order is not a change', async (t) => {
  const made = await call(
    'POST',
    '/api/admin/flags',
    aFlag({
      type: 'object',
      variants: { on: { b: 1, a: 2 }, off: {} },
      rules: [{ when: { users: ['ada'] }, serve: { variant: 'on' } }]
    })
  )
  const url = String(made.headers.location)
  t.equal(
    (
      await call('PATCH', url, {
        variants: { on: { a: 2, b: 1 } },
        rules: [{ serve: { variant: 'on' }, when: { users: ['ada'] } }],
        state: 'enabled'
      })
    ).headers.etag,
    made.headers.etag
  )
})

/** Deletes a role that rules name, as an earlier release did. */
const removeRole = (key: string) => app.db.delete(roles).where(eq(roles.key, key))

t.test('a flag with a rule for a deleted role can still be disabled', async (t) => {
  const role = await aRole(app.database)
  const url = String(
    (
      await call(
        'POST',
        '/api/admin/flags',
        aFlag({ rules: [{ when: { rolesAny: [role] }, serve: { variant: 'on' } }] })
      )
    ).headers.location
  )
  await removeRole(role)
  t.equal((await call('PATCH', url, { state: 'disabled' })).statusCode, 200)
})

t.test('an unsaved change may keep a rule for a deleted role, as a saved one may', async (t) => {
  const trying = async (flag: object) =>
    (await call('POST', '/api/admin/flags/evaluate', { flag })).json()
  const role = await aRole(app.database)
  const flag = aFlag({ rules: [{ when: { rolesAny: [role] }, serve: { variant: 'on' } }] })
  await call('POST', '/api/admin/flags', flag)
  await removeRole(role)
  t.match(await trying({ ...flag, defaultVariant: 'on' }), { reason: 'DEFAULT' })
  t.match((await trying({ ...flag, key: 'another' })).errors, [{ code: 'unknown-role' }])
})

t.test(
  'an existing key is a conflict, and only one of many concurrent requests creates it',
  async (t) => {
    const statuses = await Promise.all(
      Array.from(
        { length: 6 },
        async () => (await call('POST', '/api/admin/flags', aFlag({ key: 'race' }))).statusCode
      )
    )
    t.same(statuses.toSorted(), [201, 409, 409, 409, 409, 409])
    t.match((await call('POST', '/api/admin/flags', aFlag({ key: 'race' }))).json(), {
      code: 'flag-exists'
    })
  }
)

t.test('the flags of a user are listed page by page', async (t) => {
  const { user } = await aCaller(app)
  for (let n = 0; n < 3; n++) await call('POST', '/api/admin/flags', aFlag())
  const all = (await call('GET', '/api/admin/flags?limit=200')).json().items
  const walked = []
  let next: string | undefined = `/api/admin/users/${user.id}/flags?limit=2`
  while (next) {
    const response = await call('GET', next)
    walked.push(...response.json().items)
    next = /^<(.*)>/.exec(String(response.headers.link))?.[1]
  }
  t.same(
    walked.map(({ key }) => key),
    all.map(({ key }: { key: string }) => key)
  )
  const { nextCursor } = (await call('GET', `/api/admin/users/${user.id}/flags?limit=2`)).json()
  const { user: other } = await aCaller(app)
  const elsewhere = `/api/admin/users/${other.id}/flags?limit=2&cursor=${nextCursor}`
  t.match((await call('GET', elsewhere)).json(), { code: 'invalid-cursor' })
  t.match((await call('GET', `/api/admin/users/${randomUUID()}/flags`)).json(), {
    status: 404,
    code: 'user-not-found'
  })
})
