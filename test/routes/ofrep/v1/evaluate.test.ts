import t from 'tap'
import { createFlag, deleteFlag, updateFlag } from '../../../../src/domain/flags/flags.ts'
import { aCaller, aRole, operator, ownApp, testApp } from '../../../support/app.ts'
import { grantRole } from '../../../../src/domain/access/memberships.ts'

const app = await testApp(t, { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' })
const one = (key: string, payload?: object, headers = {}) =>
  app.inject({
    method: 'POST',
    url: `/ofrep/v1/evaluate/flags/${key}`,
    headers,
    ...(payload && { payload })
  })
const all = (payload: object = {}, headers = {}) =>
  app.inject({ method: 'POST', url: '/ofrep/v1/evaluate/flags', headers, payload })
let count = 0
async function aFlag(changes: Partial<Parameters<typeof createFlag>[2]> = {}) {
  const { key } = await createFlag(app.db, operator, {
    key: `flag-${count++}`,
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    public: true,
    ...changes
  })
  return key
}

t.test('evaluations have the exact format of OFREP, with and without a body', async (t) => {
  const key = await aFlag()
  for (const payload of [
    undefined,
    {},
    { context: {} },
    { context: { targetingKey: 'ada', anything: [{ goes: null }] } }
  ]) {
    const response = await one(key, payload)
    t.equal(response.statusCode, 200)
    t.match(response.headers['content-type'], 'application/json')
    t.same(response.json(), { key, value: false, variant: 'off', reason: 'STATIC' })
  }
})

t.test('values of every type are returned unchanged', async (t) => {
  for (const [type, value] of [
    ['boolean', false],
    ['string', ''],
    ['number', 0],
    ['object', { a: { b: [1, null] } }]
  ] as const) {
    const key = await aFlag({
      type,
      variants: { only: value },
      defaultVariant: 'only',
      offVariant: 'only'
    })
    t.same((await one(key)).json().value, value)
  }
})

t.test('an unknown flag and a flag hidden from the caller get the same response', async (t) => {
  const secret = await aFlag({ public: false })
  for (const key of [secret, 'no-such-flag', 'Not A Key', 'constructor']) {
    const response = await one(encodeURIComponent(key), {})
    t.equal(response.statusCode, 404)
    t.match(response.json(), {
      key,
      errorCode: 'FLAG_NOT_FOUND',
      errorDetails: /./,
      code: 'flag-not-found'
    })
  }
})

t.test('a key that cannot be displayed is not repeated', async (t) => {
  for (const key of ['a\0', 'a\nb', '\u202e', 'a\u200b']) {
    const response = await one(encodeURIComponent(key), {})
    t.ok([400, 404].includes(response.statusCode))
    t.notOk('key' in response.json())
  }
})

t.test('an invalid context and an invalid body get errors in the format of OFREP', async (t) => {
  const key = await aFlag()
  for (const payload of [
    { context: 'x' },
    { context: { targetingKey: 7 } },
    { context: { targetingKey: 'a\0' } }
  ]) {
    const response = await one(key, payload)
    t.equal(response.statusCode, 400)
    t.match(response.json(), { key, errorCode: 'INVALID_CONTEXT', code: 'invalid-request' })
    t.match((await all(payload)).json(), { errorCode: 'INVALID_CONTEXT' })
  }
  const broken = await app.inject({
    method: 'POST',
    url: `/ofrep/v1/evaluate/flags/${key}`,
    headers: { 'content-type': 'application/json' },
    payload: '{'
  })
  t.match(broken.json(), { key, errorCode: 'PARSE_ERROR', status: 400 })
})

t.test('the user id and roles of a session take precedence over the context', async (t) => {
  const role = await aRole(app.database)
  const { user, cookie } = await aCaller(app)
  await grantRole(app.db, operator, { userId: user.id, role })
  const forRole = await aFlag({ rules: [{ when: { rolesAny: [role] }, serve: { variant: 'on' } }] })
  const forUser = await aFlag({
    public: false,
    rules: [{ when: { users: [user.id] }, serve: { variant: 'on' } }]
  })
  const claims = { context: { targetingKey: user.id, roles: [role], rolesAny: [role] } }
  t.equal((await one(forRole, claims)).json().value, false, 'roles in the context are ignored')
  t.equal((await one(forRole, {}, { cookie })).json().value, true)
  t.match((await one(forUser, { context: { targetingKey: 'somebody else' } }, { cookie })).json(), {
    value: true,
    reason: 'TARGETING_MATCH'
  })
  t.equal((await one(forUser, claims)).statusCode, 404)
  const other = await aCaller(app)
  t.equal(
    (await one(forUser, claims, { cookie: other.cookie })).json().value,
    false,
    'a targeting key in the context is ignored'
  )
})

t.test('a condition on the targeting key sees that of the visitor or the user', async (t) => {
  const { user, cookie } = await aCaller(app)
  const values = ['visitor-7', user.id]
  const key = await aFlag({
    rules: [
      {
        when: { attributes: [{ name: 'targetingKey', op: 'in', values }] },
        serve: { variant: 'on' }
      }
    ]
  })
  const value = async (targetingKey: string, headers = {}) =>
    (await one(key, { context: { targetingKey } }, headers)).json().value
  t.equal(await value('visitor-7'), true)
  t.equal(await value('visitor-8'), false)
  t.equal(await value('visitor-8', { cookie }), true)
})

t.test('a caller with an invalid cookie is anonymous and not rejected', async (t) => {
  const secret = await aFlag({ public: false })
  const open = await aFlag()
  const { call, cookie } = await aCaller(app)
  t.equal((await one(secret, {}, { cookie })).statusCode, 200)
  await call('POST', '/api/auth/logout')
  for (const bad of [cookie, '__Host-portal_session=nonsense', `${cookie}; ${cookie}`]) {
    t.equal((await one(secret, {}, { cookie: bad })).statusCode, 404)
    t.equal((await one(open, {}, { cookie: bad })).statusCode, 200)
    t.equal((await all({}, { cookie: bad })).statusCode, 200)
  }
})

t.test('a split needs a targeting key, which a session provides', async (t) => {
  const key = await aFlag({
    rules: [{ when: {}, serve: { split: [{ variant: 'on', weight: 100_000 }] } }]
  })
  const response = await one(key, { context: { country: 'DE' } })
  t.equal(response.statusCode, 400)
  t.match(response.json(), {
    key,
    errorCode: 'TARGETING_KEY_MISSING',
    code: 'targeting-key-missing'
  })
  t.match((await one(key, { context: { targetingKey: 'ada' } })).json(), {
    value: true,
    reason: 'SPLIT'
  })
  const { cookie } = await aCaller(app)
  t.match((await one(key, {}, { cookie })).json(), { value: true, reason: 'SPLIT' })
  t.match(
    (await all({})).json().flags.find((flag: { key: string }) => flag.key === key),
    { errorCode: 'TARGETING_KEY_MISSING', errorDetails: /./ }
  )
})

t.test('an empty targeting key is none, and a flag without a split needs none', async (t) => {
  const plain = await aFlag()
  const split = await aFlag({
    rules: [{ when: {}, serve: { split: [{ variant: 'on', weight: 100_000 }] } }]
  })
  const context = { targetingKey: '' }
  t.match((await one(plain, { context })).json(), { value: false, reason: 'STATIC' })
  t.match((await one(split, { context })).json(), { errorCode: 'TARGETING_KEY_MISSING' })
  const { flags } = (await all({ context })).json() as { flags: { key: string }[] }
  const of = (key: string) => flags.find((flag) => flag.key === key)
  t.match(of(plain), { value: false })
  t.match(of(split), { errorCode: 'TARGETING_KEY_MISSING' })
})

t.test('one targeting key gets one side of a split in each of its spellings', async (t) => {
  const halves = [
    { variant: 'on', weight: 50_000 },
    { variant: 'off', weight: 50_000 }
  ]
  const key = await aFlag({ rules: [{ when: {}, serve: { split: halves } }] })
  const listed = await aFlag({
    rules: [{ when: { users: ['Zoe\u0308'] }, serve: { variant: 'on' } }]
  })
  const value = async (flag: string, targetingKey: string) =>
    (await one(flag, { context: { targetingKey } })).json().value
  for (const name of [
    'Zo\u00eb',
    'Ren\u00e9',
    '\u00c5sa',
    '\u00dcmit',
    'Jos\u00e9',
    'N\u00f8rd\u00e9'
  ]) {
    t.equal(await value(key, name), await value(key, name.normalize('NFD')), name)
  }
  t.equal(await value(listed, 'Zo\u00eb'), true)
})

t.test('members beside the context are ignored, as newer providers send them', async (t) => {
  const key = await aFlag()
  const payload = { context: { targetingKey: 'ada' }, metadata: { sdk: 'new' }, flags: ['a'] }
  t.match((await one(key, payload)).json(), { key, value: false })
  t.equal((await all(payload)).statusCode, 200)
})

t.test('all flags are returned by key, and with 304 while they are unchanged', async (t) => {
  const key = await aFlag()
  const first = await all({ context: { targetingKey: 'ada' } })
  const keys = first.json().flags.map((flag: { key: string }) => flag.key)
  t.same(keys, keys.toSorted())
  t.ok(keys.includes(key))
  const { etag } = first.headers
  t.match(etag, /^"[\w-]{43}"$/)
  for (const header of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
    const again = await all({ context: { targetingKey: 'ada' } }, { 'if-none-match': header })
    t.equal(again.statusCode, 304)
    t.equal(again.body, '')
    t.equal(again.headers.etag, etag)
  }
  await updateFlag(app.db, operator, { key, changes: { defaultVariant: 'on' } })
  const changed = await all({ context: { targetingKey: 'ada' } }, { 'if-none-match': etag })
  t.equal(changed.statusCode, 200)
  t.not(changed.headers.etag, etag)
})

t.test(
  'a disabled, changed or deleted flag takes effect with the next evaluation on every instance',
  async (t) => {
    const other = await ownApp(
      t,
      { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' },
      { ...app.database, close: async () => {} }
    )
    const key = await aFlag({ defaultVariant: 'on' })
    const seen = async () =>
      Promise.all(
        [app, other].map(async (server) => {
          const response = await server.inject({
            method: 'POST',
            url: `/ofrep/v1/evaluate/flags/${key}`,
            payload: {}
          })
          return response.json().value ?? response.statusCode
        })
      )
    t.same(await seen(), [true, true])
    for (let round = 0; round < 10; round++) {
      await updateFlag(app.db, operator, { key, changes: { state: 'disabled' } })
      t.same(await seen(), [false, false])
      await updateFlag(app.db, operator, { key, changes: { state: 'enabled' } })
      t.same(await seen(), [true, true])
    }
    await deleteFlag(app.db, operator, { key })
    t.same(await seen(), [404, 404])
  }
)
