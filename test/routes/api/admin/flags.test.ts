import t from 'tap'
import { aCaller, activityOf, aRole, testApp } from '../../../helpers.ts'

const app = await testApp(t)
const { call, cookie } = await aCaller(app, 'admin')
let count = 0
const aFlag = (changes: object = {}) => ({
  key: `flag-${count++}`,
  type: 'boolean',
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off',
  ...changes
})

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
  t.match(made.json(), { ...wish, state: 'enabled', rules: [], public: false })
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
  t.equal(
    (
      await call(
        'PATCH',
        '/api/admin/flags/new-checkout',
        { state: 'enabled' },
        { 'if-match': made.headers.etag }
      )
    ).statusCode,
    412
  )
  t.equal(
    (
      await call('DELETE', '/api/admin/flags/new-checkout', undefined, {
        'if-match': made.headers.etag
      })
    ).statusCode,
    412
  )
  t.equal((await call('DELETE', '/api/admin/flags/new-checkout')).statusCode, 204)
  for (const method of ['GET', 'DELETE'] as const) {
    t.match((await call(method, '/api/admin/flags/new-checkout')).json(), {
      status: 404,
      code: 'flag-not-found'
    })
  }
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

t.test('flags of every type keep their values', async (t) => {
  for (const [type, value] of [
    ['boolean', true],
    ['string', 'a "quoted" text'],
    ['number', 0.1],
    ['number', -1e300],
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

const split = (...weights: number[]) => ({
  when: {},
  serve: { split: weights.map((weight, n) => ({ variant: n ? 'off' : 'on', weight })) }
})
const condition = (op: string, values: unknown[]) => ({
  when: { attributes: [{ name: 'x', op, values }] },
  serve: { variant: 'on' }
})
for (const [what, changes, pointer, code] of [
  [
    'a variant of another type',
    { variants: { on: true, off: 'false' } },
    '/variants/off',
    'wrong-type'
  ],
  [
    'a list for an object',
    { type: 'object', variants: { on: [], off: {} } },
    '/variants/on',
    'wrong-type'
  ],
  ['no variants', { variants: {} }, '/variants', 'too-short'],
  ['an unknown default variant', { defaultVariant: 'maybe' }, '/defaultVariant', 'unknown-variant'],
  ['an unknown off variant', { offVariant: 'constructor' }, '/offVariant', 'unknown-variant'],
  [
    'weights that sum to less',
    { rules: [split(50_000, 49_999)] },
    '/rules/0/serve/split',
    'wrong-sum'
  ],
  ['weights that sum to more', { rules: [split(100_000, 1)] }, '/rules/0/serve/split', 'wrong-sum'],
  [
    'a rule with an unknown variant',
    { rules: [{ when: {}, serve: { variant: 'maybe' } }] },
    '/rules/0/serve/variant',
    'unknown-variant'
  ],
  [
    'a split with an unknown variant',
    { rules: [{ when: {}, serve: { split: [{ variant: 'maybe', weight: 100_000 }] } }] },
    '/rules/0/serve/split/0/variant',
    'unknown-variant'
  ],
  [
    'a role that does not exist',
    { rules: [{ when: { rolesAny: ['user', 'no-such-role'] }, serve: { variant: 'on' } }] },
    '/rules/0/when/rolesAny/1',
    'unknown-role'
  ],
  [
    'a text where a number is compared',
    { rules: [condition('lt', ['5'])] },
    '/rules/0/when/attributes/0/values',
    'wrong-type'
  ],
  [
    'two numbers to compare with',
    { rules: [condition('gte', [1, 2])] },
    '/rules/0/when/attributes/0/values',
    'wrong-type'
  ],
  [
    'a number for a beginning',
    { rules: [condition('startsWith', [5])] },
    '/rules/0/when/attributes/0/values',
    'wrong-type'
  ],
  [
    'a regular expression',
    { rules: [condition('matches', ['.*'])] },
    '/rules/0/when/attributes/0/op',
    'not-allowed'
  ],
  [
    'a negative weight',
    { rules: [split(-1, 100_001)] },
    '/rules/0/serve/split/0/weight',
    'out-of-range'
  ],
  [
    'a rule that serves nothing',
    { rules: [{ when: {}, serve: {} }] },
    '/rules/0/serve',
    'required'
  ],
  [
    'a NUL in an object',
    { type: 'object', variants: { on: { a: ['\0'] }, off: {} } },
    '/variants/on',
    'invalid-value'
  ],
  [
    'half a character in a name in an object',
    { type: 'object', variants: { on: { '\ud800': 1 }, off: {} } },
    '/variants/on',
    'invalid-value'
  ],
  [
    'a deeply nested object',
    {
      type: 'object',
      variants: { on: JSON.parse('{"a":'.repeat(30) + '1' + '}'.repeat(30)), off: {} }
    },
    '/variants/on',
    'invalid-value'
  ],
  ['a malformed key', { key: 'Not A Key' }, '/key', 'malformed']
] as const) {
  t.test(`a flag with ${what} is rejected with a pointer`, async (t) => {
    const response = await call('POST', '/api/admin/flags', aFlag(changes))
    t.equal(response.statusCode, 400)
    const { errors } = response.json()
    t.ok(
      errors.some(
        (error: { pointer: string; code: string }) =>
          error.pointer.startsWith(pointer) && error.code === code
      ),
      JSON.stringify(errors)
    )
  })
}

t.test('a change that makes a flag invalid is rejected and changes nothing', async (t) => {
  const made = await call(
    'POST',
    '/api/admin/flags',
    aFlag({ rules: [{ when: {}, serve: { variant: 'on' } }] })
  )
  const url = String(made.headers.location)
  const refused = await call('PATCH', url, { variants: { on: null } })
  t.equal(refused.statusCode, 400)
  t.match(refused.json().errors, [{ pointer: '/rules/0/serve/variant', code: 'unknown-variant' }])
  t.same((await call('GET', url)).json(), made.json())
  t.match((await call('PATCH', url, { type: 'string' })).json(), {
    status: 400,
    errors: [{ code: 'unknown-property' }]
  })
  t.match((await call('PATCH', url, {})).json(), { status: 400, errors: [{ code: 'empty' }] })
})

t.test('PATCH and POST reject a value nested as deeply as a body allows', async (t) => {
  const url = String(
    (
      await call(
        'POST',
        '/api/admin/flags',
        aFlag({ type: 'object', variants: { on: {}, off: {} } })
      )
    ).headers.location
  )
  const variants = (depth: number) => ({
    on: JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
  })
  t.equal((await call('PATCH', url, { variants: variants(20) })).statusCode, 200)
  for (const depth of [21, 1000, 2700]) {
    for (const response of [
      await call('PATCH', url, { variants: variants(depth) }),
      await call(
        'POST',
        '/api/admin/flags',
        aFlag({ type: 'object', variants: { ...variants(depth), off: {} } })
      )
    ]) {
      t.equal(response.statusCode, 400, `${depth} deep`)
      t.match(response.json(), { errors: [{ pointer: '/variants/on', code: 'invalid-value' }] })
    }
  }
  const list = (depth: number) =>
    `{"variants":{"on":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}}`
  for (const depth of [3000, 4000, 8000]) {
    const response = await app.inject({
      method: 'PATCH',
      url,
      headers: { cookie, 'content-type': 'application/json' },
      payload: list(depth)
    })
    t.equal(response.statusCode, 400, `a list ${depth} deep`)
  }
})

const named = (prefix: string, count: number, value: unknown = true) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, value]))
t.test('merging cannot exceed fifty variants, but can replace fifty by fifty others', async (t) => {
  const url = String(
    (await call('POST', '/api/admin/flags', aFlag({ variants: { off: false, ...named('a', 49) } })))
      .headers.location
  )
  const refused = await call('PATCH', url, { variants: named('b', 1) })
  t.equal(refused.statusCode, 400)
  t.match(refused.json().errors, [
    { pointer: '/variants', code: 'too-many', message: 'At most 50 variants' }
  ])
  const half = { ...named('a', 25, null), ...named('b', 25) }
  t.equal((await call('PATCH', url, { variants: half })).statusCode, 200)
  t.equal(Object.keys((await call('GET', url)).json().variants).length, 50)
})

t.test('merging cannot make variants larger than a request that creates them', async (t) => {
  const url = String(
    (
      await call(
        'POST',
        '/api/admin/flags',
        aFlag({ type: 'string', variants: { off: '' }, defaultVariant: 'off' })
      )
    ).headers.location
  )
  for (const n of [1, 2, 3, 4]) {
    t.equal(
      (await call('PATCH', url, { variants: { [`on${n}`]: 'x'.repeat(4000) } })).statusCode,
      200
    )
  }
  const refused = await call('PATCH', url, { variants: { on5: 'x'.repeat(4000) } })
  t.equal(refused.statusCode, 400)
  t.match(refused.json().errors, [{ pointer: '/variants', code: 'too-long' }])
  t.equal(
    (await call('PATCH', url, { variants: { on4: null, on5: 'x'.repeat(4000) } })).statusCode,
    200
  )
})

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
  await call('DELETE', `/api/admin/roles/${role}`)
  t.equal((await call('PATCH', url, { state: 'disabled' })).statusCode, 200)
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

t.test('flags are listed page by page', async (t) => {
  for (let n = 0; n < 4; n++) await call('POST', '/api/admin/flags', aFlag())
  for (const sort of ['key', '-key', 'createdAt', '-createdAt']) {
    const all = (await call('GET', `/api/admin/flags?limit=200&sort=${sort}`)).json().items
    const walked = []
    let url: string | undefined = `/api/admin/flags?limit=3&sort=${sort}`
    while (url) {
      const response = await call('GET', url)
      walked.push(...response.json().items)
      url = /^<(.*)>/.exec(String(response.headers.link))?.[1]
    }
    t.ok(all.length > 3)
    t.same(walked, all)
  }
})
