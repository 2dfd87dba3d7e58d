import t from 'tap'
import { buildApp } from '../../src/app.ts'
import { revokeInScope } from '../../src/domain/scopes/members.ts'
import { aCaller, operator, started, testDatabase } from '../support/app.ts'
import { aScopedRole, freshScope, granted } from '../support/scopes.ts'
import { testConfig } from '../support/test-config.ts'

// A route that names a scope, as those of apps do.

const response = { 200: {} }
const permission = 'members:manage'
const app = buildApp(testConfig(), { database: await testDatabase(t) })
app.register(async (routes) => {
  routes.get(
    '/orgs/:org',
    { config: { access: { permission, scope: 'params.org' } }, schema: { response } },
    async () => ({})
  )
  routes.get(
    '/orgs',
    { config: { access: { permission, scope: 'query.org' } }, schema: { response } },
    async () => ({})
  )
})
await started(t, app)
const manages = await aScopedRole(app.database, permission)
const looks = await aScopedRole(app.database, 'users:read')
const scope = freshScope()
const { user, call } = await aCaller(app)

t.test('a route with a scope admits those who have the permission there', async (t) => {
  const manager = await aCaller(app)
  await granted(app.database, manager.user, scope, manages)
  for (const url of [`/orgs/${scope}`, `/orgs?org=${scope}`, `/orgs/org%3A${scope.slice(4)}`]) {
    t.equal((await manager.call('GET', url)).statusCode, 200, url)
  }
  const membership = { scope, userId: manager.user.id, role: manages }
  await revokeInScope(app.db, operator, membership)
  t.equal((await manager.call('GET', `/orgs/${scope}`)).statusCode, 404)
})

t.test('a member without the permission is refused, and others find no such scope', async (t) => {
  const other = await aCaller(app)
  await granted(app.database, other.user, scope, manages)
  t.match((await call('GET', `/orgs/${scope}`)).json(), { code: 'scope-not-found' })
  const [foreign, unknown] = [
    await call('GET', `/orgs/${scope}`),
    await call('GET', `/orgs/${freshScope()}`)
  ].map((found) => ({ ...found.json(), instance: undefined }))
  t.same(foreign, unknown)
  await granted(app.database, user, scope, looks)
  t.match((await call('GET', `/orgs/${scope}`)).json(), { code: 'permission-denied' })
  t.match((await call('GET', `/orgs?org=${scope}`)).json(), { code: 'permission-denied' })
})

t.test('a permission everywhere counts in every scope', async (t) => {
  const admin = await aCaller(app, 'admin')
  t.equal((await admin.call('GET', `/orgs/${freshScope()}`)).statusCode, 200)
  t.equal((await admin.call('GET', '/orgs/ORG:1')).statusCode, 400)
})

t.test('a malformed scope is rejected before the route, and a session comes first', async (t) => {
  for (const url of [
    '/orgs/ORG:1',
    '/orgs/org:1%2f',
    '/orgs/org:1.',
    '/orgs/org%253A1',
    '/orgs/org:1%20',
    '/orgs',
    '/orgs?org=',
    `/orgs?org=${scope}&org=${scope}`
  ]) {
    const found = await call('GET', url)
    t.match(found, { statusCode: 400 }, url)
    const pointer = url.startsWith('/orgs/') ? '/path/org' : '/query/org'
    const message = /^Must be one scope like/
    t.match(found.json(), { errors: [{ pointer, code: 'malformed', message }] })
    t.equal((await app.inject(url)).statusCode, 401, url)
  }
  const longest = `${'o'.repeat(20)}:${'1'.repeat(60)}`
  const url = `/orgs/${encodeURIComponent(longest)}`
  t.match((await call('GET', url)).json(), { code: 'scope-not-found' })
})

t.test('the document of a route with a scope has its refusals', async (t) => {
  const { paths } = (await app.inject('/openapi.json')).json()
  const { responses } = paths['/orgs/{org}'].get
  for (const status of ['400', '401', '403', '404']) t.ok(responses[status], status)
  t.match(JSON.stringify(responses['404']), /scope-not-found|ScopeNotFound/)
})
