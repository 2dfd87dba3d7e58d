import t from 'tap'
import { bucketOf } from '../../../../src/domain/flags/evaluation.ts'
import { aFlag } from '../../../support/flags.ts'
import { aCaller, aRole, testApp } from '../../../support/app.ts'

const app = await testApp(t)
const { call } = await aCaller(app, 'admin')

const url = '/api/admin/flags/evaluate'
const attempt = async (body: object) => call('POST', url, body)
const trying = async (body: object) => (await attempt(body)).json()
const half = [
  { variant: 'on', weight: 50_000 },
  { variant: 'off', weight: 50_000 }
]
const visitor = { signedIn: false, targetingKey: null, roles: [], suspendedRoles: [], scope: null }

t.test('each kind of decision says which rule and which bucket decided', async (t) => {
  const rules = [
    {
      when: { attributes: [{ name: 'country', op: 'in', values: ['DE'] }] },
      serve: { variant: 'on' }
    },
    { when: { users: ['grace'] }, serve: { variant: 'off' } },
    { when: { rolesAny: ['admin'] }, serve: { split: half } }
  ]
  const flag = aFlag({ rules })
  const bucket = bucketOf(flag.key, 'ada')
  const variant = bucket < 50_000 ? 'on' : 'off'
  for (const [context, expected] of [
    [
      { attributes: { country: 'DE' } },
      { variant: 'on', reason: 'TARGETING_MATCH', rule: 0, bucket: null }
    ],
    [
      { targetingKey: 'grace' },
      { variant: 'off', reason: 'TARGETING_MATCH', rule: 1, bucket: null }
    ],
    [
      { targetingKey: 'ada', roles: ['admin'] },
      { variant, reason: 'SPLIT', rule: 2, bucket }
    ],
    [
      { roles: ['admin'] },
      { variant: null, reason: 'TARGETING_KEY_MISSING', rule: 2, bucket: null }
    ],
    [{ targetingKey: 'ada' }, { variant: 'off', reason: 'DEFAULT', rule: null, bucket: null }]
  ] as const) {
    const value = expected.variant === null ? null : expected.variant === 'on'
    t.match(await trying({ flag, context }), { key: flag.key, value, ...expected }, expected.reason)
  }
  const nothing = { rule: null, bucket: null, nextChange: null, segments: [] }
  const plain = { ...nothing, visible: false, context: visitor }
  const key = flag.key
  const timeless = async (body: object) => {
    const { at, ...result } = await trying(body)
    t.match(at, /^2.+Z$/)
    return result
  }
  t.same(await timeless({ flag: aFlag({ key }) }), {
    ...{ key, value: false, variant: 'off', reason: 'STATIC' },
    ...plain
  })
  t.same(await timeless({ flag: aFlag({ key, state: 'disabled', offVariant: 'on', rules }) }), {
    ...{ key, value: true, variant: 'on', reason: 'DISABLED' },
    ...plain
  })
})

t.test('a trial of a saved flag agrees with OFREP, for a user and for a visitor', async (t) => {
  const role = await aRole(app.database)
  const ada = await aCaller(app, role)
  const flag = aFlag({
    public: true,
    rules: [
      {
        when: { attributes: [{ name: 'beta', op: 'in', values: [true] }] },
        serve: { variant: 'on' }
      },
      { when: { rolesAny: [role] }, serve: { split: half } }
    ]
  })
  const { key } = flag
  t.equal((await call('POST', '/api/admin/flags', flag)).statusCode, 201)
  const ofrep = `/ofrep/v1/evaluate/flags/${key}`

  for (const attributes of [{}, { beta: true }]) {
    const byUser = (await ada.call('POST', ofrep, { context: attributes })).json()
    const tried = await trying({ key, context: { userId: ada.user.id, attributes } })
    t.match(tried, byUser)
    t.equal(tried.rule, 'beta' in attributes ? 0 : 1)
    const roles = [role, 'user'].sort()
    t.same(tried.context, {
      ...{ signedIn: true, targetingKey: ada.user.id, roles, suspendedRoles: [] },
      scope: null
    })
    t.match(
      await trying({ key, context: { targetingKey: ada.user.id, roles, attributes } }),
      byUser
    )

    const payload = { context: { targetingKey: 'visitor-7', ...attributes } }
    const byVisitor = (await app.inject({ method: 'POST', url: ofrep, payload })).json()
    t.match(await trying({ key, context: { targetingKey: 'visitor-7', attributes } }), byVisitor)
  }
  t.match(await trying({ key: 'no-such-flag' }), { status: 404, code: 'flag-not-found' })
})

t.test('visible says whether the flag exists for the caller', async (t) => {
  const visible = async (changes: object, context: object) =>
    (await trying({ flag: aFlag(changes), context })).visible
  t.equal(await visible({}, { targetingKey: 'ada' }), false)
  t.equal(await visible({}, { targetingKey: 'ada', roles: [] }), true)
  t.equal(await visible({ public: true }, {}), true)
})

t.test('a role that requires a second factor counts with assurance 2 only', async (t) => {
  const role = await aRole(app.database)
  const { user } = await aCaller(app, role)
  await call('PATCH', `/api/admin/roles/${role}`, { requiresSecondFactor: true })
  const flag = aFlag({ rules: [{ when: { rolesAny: [role] }, serve: { variant: 'on' } }] })
  await call('POST', '/api/admin/flags', flag)
  const { key } = flag
  const without = await trying({ key, context: { userId: user.id } })
  t.match(without, { value: false, context: { roles: ['user'], suspendedRoles: [role] } })
  t.match(await trying({ key, context: { userId: user.id, assurance: 2 } }), {
    value: true,
    context: { suspendedRoles: [] }
  })
  const listed = async (query: string) =>
    (await call('GET', `/api/admin/users/${user.id}/flags?limit=200${query}`))
      .json()
      .items.find((item: { key: string }) => item.key === key)
  t.same(await listed(''), {
    ...{ key, value: false, variant: 'off', reason: 'DEFAULT', rule: null, bucket: null }
  })
  t.match(await listed('&assurance=2'), { value: true, reason: 'TARGETING_MATCH', rule: 0 })
  t.match((await call('GET', `/api/admin/users/${user.id}/flags?assurance=3`)).json(), {
    errors: [{ pointer: '/query/assurance' }]
  })
})

t.test('a sample counts every variant, and is the same each time', async (t) => {
  const shares = async (body: object) => (await trying(body)).shares
  const split = [
    { variant: 'on', weight: 10_000 },
    { variant: 'off', weight: 90_000 }
  ]
  const flag = aFlag({
    variants: { on: true, off: false, spare: true },
    rules: [
      { when: { users: ['key-1'] }, serve: { variant: 'spare' } },
      { when: { rolesAny: ['admin'], users: ['key-2'] }, serve: { variant: 'spare' } },
      {
        when: { attributes: [{ name: 'beta', op: 'in', values: [true] }] },
        serve: { variant: 'on' }
      },
      { when: {}, serve: { split } }
    ]
  })
  const counts = await shares({ flag, sample: 1000 })
  const count = (name: string) =>
    counts.find(({ variant }: { variant: string }) => variant === name).count
  t.same([count('spare'), count('on') + count('off')], [1, 999])
  t.ok(count('on') > 60 && count('on') < 140, `${count('on')}`)
  t.same(await shares({ flag, sample: 1000 }), counts)

  const context = { roles: ['admin'], attributes: { beta: true } }
  t.same(await shares({ flag, sample: 1000, context }), [
    { variant: 'on', count: 998 },
    { variant: 'off', count: 0 },
    { variant: 'spare', count: 2 }
  ])
  t.notOk('shares' in (await trying({ flag })))
})

t.test('conditions on the targeting key count in a trial and in its sample', async (t) => {
  const flag = aFlag({
    rules: [
      {
        when: {
          attributes: [
            { name: 'targetingKey', op: 'in', values: ['ada', 'key-1', 'key-3'] },
            { name: 'beta', op: 'in', values: [true] }
          ]
        },
        serve: { variant: 'on' }
      }
    ]
  })
  const attributes = { beta: true, targetingKey: 'ada' }
  for (const roles of [undefined, ['admin']]) {
    const context = { targetingKey: 'ada', attributes: { beta: true }, roles }
    t.match(await trying({ flag, context, sample: 4 }), {
      value: true,
      shares: [
        { variant: 'on', count: 2 },
        { variant: 'off', count: 2 }
      ]
    })
    t.match(await trying({ flag, context: { attributes, roles } }), { value: false })
  }
})
