import t from 'tap'
import { aCaller, testApp } from '../../../support/app.ts'
import { configured } from '../../../support/providers/configured.ts'
import { startOidcProvider } from '../../../support/providers/oidc.ts'

const acme = await startOidcProvider(t)
const provider = configured.oidc(acme)
const away = { ...provider, key: 'away', issuer: 'http://127.0.0.1:9' }
const changes = { providers: [provider, away] }

t.test('providers are listed without their secrets, and each is checked', async (t) => {
  const app = await testApp(t, changes)
  const { call } = await aCaller(app, 'admin')
  const list = await call('GET', '/api/admin/providers')
  t.match(list.json().items, [
    { key: 'acme', issuer: acme.issuer, redirectUri: /\/api\/auth\/providers\/acme\/callback$/ },
    { key: 'away' }
  ])
  t.notMatch(list.body, acme.client.secret)
  const check = async (key: string) =>
    (await call('POST', `/api/admin/providers/${key}/check`)).json()
  t.same(await check('acme'), { faults: [] })
  t.match(await check('away'), {
    faults: [{ reason: 'unreachable', message: /^The provider cannot be reached: .*\.$/ }]
  })
  t.match(await check('nobody'), { status: 404, code: 'unknown-provider' })
})

t.test('a check reads again what the provider says, once for all who ask', async (t) => {
  const app = await testApp(t, changes)
  const { call } = await aCaller(app, 'admin')
  const check = () => call('POST', '/api/admin/providers/acme/check')
  await check()
  acme.alter.discovery = (body) => ({
    ...body,
    token_endpoint_auth_methods_supported: ['private_key_jwt']
  })
  acme.requests.length = 0
  const checks = await Promise.all([check(), check(), check()])
  for (const each of checks) t.match(each.json(), { faults: [{ reason: 'no-secret' }] })
  t.equal(acme.requests.filter((path) => path.includes('openid-configuration')).length, 1)
  delete acme.alter.discovery
  t.same((await check()).json(), { faults: [] })
})

t.test('users without the permission see and check no provider', async (t) => {
  const app = await testApp(t, changes)
  const { call } = await aCaller(app)
  acme.requests.length = 0
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/acme/check']
  ] as const) {
    const refused = await call(method, `/api/admin/providers${path}`)
    t.match(refused.json(), { status: 403, code: 'permission-denied' })
  }
  t.same(acme.requests, [])
})
