import t from 'tap'
import { updateRole } from '../../../../src/domain/access/roles.ts'
import { createSegment } from '../../../../src/domain/flags/segments.ts'
import { revokeInScope } from '../../../../src/domain/scopes/members.ts'
import { createFlag } from '../../../../src/domain/flags/flags.ts'
import { aCaller, operator, testApp } from '../../../support/app.ts'
import { aScopedRole, granted } from '../../../support/scopes.ts'

const app = await testApp(t)
const key = `scoped-${Date.now()}`
await createFlag(app.db, operator, {
  key,
  type: 'boolean',
  variants: { on: true, off: false },
  defaultVariant: 'off',
  offVariant: 'off',
  rules: [{ when: { scopes: ['org:1', 'org:2'] }, serve: { variant: 'on' } }],
  public: true
})
const url = (query = '', flag = key) => `/ofrep/v1/evaluate/flags/${flag}${query}`
type Call = Awaited<ReturnType<typeof aCaller>>['call']
const valueIn = async (call: Call, query: string, flag = key) =>
  (await call('POST', url(query, flag), {})).json().value

t.test('a rule about scopes holds in a scope in which the user has a role, only', async (t) => {
  const { user, call } = await aCaller(app)
  const role = await aScopedRole(app)
  await granted(app, user, 'org:1', role)
  t.equal(await valueIn(call, '?scope=org:1'), true)
  t.equal(await valueIn(call, '?scope=org:2'), false, 'named, but no role')
  t.equal(await valueIn(call, ''), false, 'no scope')
  await granted(app, user, 'org:3', role)
  t.equal(await valueIn(call, '?scope=org:3'), false, 'a role, but not named')
  await revokeInScope(app.db, operator, { userId: user.id, scope: 'org:1', role })
  t.equal(await valueIn(call, '?scope=org:1'), false, 'the role is gone')
})

t.test('a scope in the context counts as an attribute only', async (t) => {
  const { user, call } = await aCaller(app)
  await granted(app, user, 'org:1', await aScopedRole(app))
  const response = await call('POST', url(), { context: { scope: 'org:1', scopes: ['org:1'] } })
  t.equal(response.json().value, false)
  const visitor = await app.inject({ method: 'POST', url: url('?scope=org:1'), payload: {} })
  t.equal(visitor.json().value, false, 'a visitor has no roles')
})

t.test('a role that requires a second factor counts in sessions with one', async (t) => {
  const { user, call } = await aCaller(app)
  const role = await aScopedRole(app)
  await granted(app, user, 'org:1', role)
  await updateRole(app.db, operator, { key: role, changes: { requiresSecondFactor: true } })
  t.equal(await valueIn(call, '?scope=org:1'), false)
})

t.test('a segment can name scopes, and all flags are evaluated in a scope as well', async (t) => {
  const { user, call } = await aCaller(app)
  await granted(app, user, 'org:1', await aScopedRole(app))
  const segment = `customers-${Date.now()}`
  await createSegment(app.db, operator, { key: segment, when: { scopes: ['org:1'] } })
  const flag = `${key}-segment`
  await createFlag(app.db, operator, {
    key: flag,
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    rules: [{ when: { segmentsAny: [segment] }, serve: { variant: 'on' } }]
  })
  t.equal(await valueIn(call, '?scope=org:1', flag), true)
  const all = await call('POST', '/ofrep/v1/evaluate/flags?scope=org:1', {})
  const found = all.json().flags.filter((each: { key: string }) => [key, flag].includes(each.key))
  t.same(
    found.map(({ value }: { value: boolean }) => value),
    [true, true]
  )
})

t.test('a scope of another form, or two of them, get 400', async (t) => {
  const { call } = await aCaller(app)
  for (const scope of ['ORG:1', 'org:1.', 'org', 'org:1%2f', '', 'org:%201', 'org:1&scope=org:2']) {
    const response = await call('POST', url(`?scope=${scope}`), {})
    t.equal(response.statusCode, 400, scope)
    t.match(response.json().errors, [{ pointer: '/query/scope' }], scope)
  }
})

t.test('a trial counts a scope in which the user has a role', async (t) => {
  const { user } = await aCaller(app)
  const { call } = await aCaller(app, 'admin')
  const role = await aScopedRole(app)
  await granted(app, user, 'org:1', role)
  const trying = async (context: object) =>
    (await call('POST', '/api/admin/flags/evaluate', { key, context })).json()
  t.match(await trying({ userId: user.id, scope: 'org:1' }), {
    value: true,
    rule: 0,
    context: { scope: 'org:1' }
  })
  t.match(await trying({ userId: user.id, scope: 'org:2' }), {
    value: false,
    context: { scope: null }
  })
  t.match(await trying({ roles: [], scope: 'org:2' }), { value: true, context: { scope: 'org:2' } })
  t.match(await trying({ scope: 'org:1' }), { errors: [{ pointer: '/context/scope' }] })
})
