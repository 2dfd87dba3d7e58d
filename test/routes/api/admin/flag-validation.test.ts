import t from 'tap'
import { aFlag } from '../../../support/flags.ts'
import { aCaller, testApp } from '../../../support/app.ts'
import { rejects } from '../../../support/scenarios.ts'

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
t.test('a mistake in a flag is rejected with a pointer', async (t) => {
  const values = '/rules/0/when/attributes/0/values'
  const deep = JSON.parse('{"a":'.repeat(30) + '1' + '}'.repeat(30))
  const flagWith = (...rules: object[]) => aFlag({ rules })
  const ofObjects = (on: unknown) => aFlag({ type: 'object', variants: { on, off: {} } })
  const serving = (serve: object, when: object = {}) => flagWith({ when, serve })
  await rejects(t, call, 'POST /api/admin/flags', [
    ['another type', aFlag({ variants: { on: true, off: 'false' } }), '/variants/off wrong-type'],
    ['a list for an object', ofObjects([]), '/variants/on wrong-type'],
    ['an unknown default', aFlag({ defaultVariant: 'maybe' }), '/defaultVariant unknown-variant'],
    ['an unknown off', aFlag({ offVariant: 'constructor' }), '/offVariant unknown-variant'],
    ['a sum of less', flagWith(split(50_000, 49_999)), '/rules/0/serve/split wrong-sum'],
    ['a sum of more', flagWith(split(100_000, 1)), '/rules/0/serve/split wrong-sum'],
    [
      'a rule with an unknown variant',
      serving({ variant: 'maybe' }),
      '/rules/0/serve/variant unknown-variant'
    ],
    [
      'a split with an unknown variant',
      serving({ split: [{ variant: 'maybe', weight: 100_000 }] }),
      '/rules/0/serve/split/0/variant unknown-variant'
    ],
    [
      'a role that does not exist',
      serving({ variant: 'on' }, { rolesAny: ['user', 'no-such-role'] }),
      '/rules/0/when/rolesAny/1 unknown-role'
    ],
    ['a text where a number is compared', flagWith(condition('lt', ['5'])), `${values} wrong-type`],
    [
      'a day that does not exist',
      flagWith(condition('lt', ['2026-02-30'])),
      `${values} wrong-type`
    ],
    ['two versions', flagWith(condition('gte', ['1.0.0', '2.0.0'])), `${values} wrong-type`],
    ['a rounded number', flagWith(condition('in', [2 ** 53])), `${values}/0 out-of-range`],
    [
      'a rounded variant',
      aFlag({ type: 'number', variants: { on: -(2 ** 53), off: 0.1 } }),
      '/variants/on out-of-range'
    ],
    [
      'a rounded number in an object',
      ofObjects({ a: [1, -(2 ** 53)] }),
      '/variants/on out-of-range'
    ],
    ['two numbers to compare with', flagWith(condition('gte', [1, 2])), `${values} wrong-type`],
    ['a number for a beginning', flagWith(condition('startsWith', [5])), `${values} wrong-type`],
    [
      'a regular expression',
      flagWith(condition('matches', ['.*'])),
      '/rules/0/when/attributes/0/op not-allowed'
    ],
    [
      'negative weights',
      flagWith(split(-1, -2)),
      // The mistakes of both forms of a rule are listed.
      [
        '/rules/0/serve/variant required',
        '/rules/0/serve unknown-property',
        '/rules/0/serve/split/0/weight out-of-range',
        '/rules/0/serve/split/1/weight out-of-range'
      ]
    ],
    [
      'a rule that serves nothing',
      serving({}),
      ['/rules/0/serve/variant required', '/rules/0/serve/split required']
    ],
    ['a NUL in an object', ofObjects({ a: ['\0'] }), '/variants/on invalid-value'],
    ['half a character in a name', ofObjects({ '\ud800': 1 }), '/variants/on invalid-value'],
    ['a deeply nested object', ofObjects(deep), '/variants/on invalid-value'],
    [
      'no variants',
      aFlag({ variants: {} }),
      ['/variants too-short', '/defaultVariant unknown-variant', '/offVariant unknown-variant']
    ],
    ['a malformed key', aFlag({ key: 'Not A Key' }), '/key malformed']
  ])
})

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
  const wide = await call('PATCH', url, { variants: { on5: 'ä'.repeat(200) } })
  t.match(wide.json().errors, [{ pointer: '/variants', code: 'too-long' }], 'bytes count')
  t.equal(
    (await call('PATCH', url, { variants: { on4: null, on5: 'x'.repeat(4000) } })).statusCode,
    200
  )
})
