import t from 'tap'
import { aFlag } from '../../../support/flags.ts'
import { aCaller, testApp } from '../../../support/app.ts'

const app = await testApp(t)
const { call, cookie } = await aCaller(app, 'admin')

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

t.test('an unsaved flag is checked like a saved one, with the same errors', async (t) => {
  const trying = async (flag: object) =>
    (await call('POST', '/api/admin/flags/evaluate', { flag })).json().errors
  const wrong = {
    ...aFlag({ defaultVariant: 'maybe' }),
    rules: [
      { ...split(50_000), when: { rolesAny: ['no-such-role'] } },
      { when: {}, serve: { variant: 'perhaps' } }
    ]
  }
  const saved = (await call('POST', '/api/admin/flags', wrong)).json()
  t.ok(saved.errors.length >= 4)
  t.same(
    await trying(wrong),
    saved.errors.map((each: { pointer: string }) => ({ ...each, pointer: `/flag${each.pointer}` }))
  )
  t.match(await trying({ ...aFlag(), type: 'date' }), [{ pointer: '/flag/type' }])
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
