import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { aCaller, testApp } from '../support/app.ts'

const app = await testApp(t, { PUBLIC_ORIGIN: 'http://localhost:3000' })
const { call } = await aCaller(app, 'admin')
const theme = async (headers: Record<string, string>) =>
  (await call('PUT', '/api/user/theme', { theme: 'dark' }, headers)).statusCode

t.test(
  'state-changing requests are accepted from own pages and from clients that are not browsers',
  async (t) => {
    t.equal(await theme({}), 200, 'no browser')
    t.equal(await theme({ 'sec-fetch-site': 'same-origin' }), 200)
    t.equal(await theme({ 'sec-fetch-site': 'none' }), 200, 'typed by its user')
    t.equal(
      await theme({ origin: 'http://localhost:3000' }),
      200,
      'an old browser that sends only Origin'
    )
    t.equal(
      await theme({ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }),
      200,
      'an origin that is listed'
    )
  }
)

for (const headers of [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'http://localhost:4000' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { 'sec-fetch-site': 'whatever' },
  { 'sec-fetch-site': '' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost:3000.evil.example' },
  { origin: 'HTTP://LOCALHOST:3000' }
]) {
  t.test(`state-changing requests are rejected with ${JSON.stringify(headers)}`, async (t) => {
    t.equal(await theme(headers as Record<string, string>), 403)
    for (const url of ['/api/auth/login', '/api/auth/register', '/api/auth/logout']) {
      const response = await app.inject({ method: 'POST', url, headers, payload: {} })
      t.equal(response.statusCode, 403, url)
      t.match(response.json(), { code: 'cross-site' })
    }
  })
}

t.test('a rejected cross-site request does not sign out', async (t) => {
  await call('POST', '/api/auth/logout', undefined, { 'sec-fetch-site': 'cross-site' })
  t.equal((await call('GET', '/api/auth/me')).statusCode, 200)
})

t.test(
  'other sites can send reads, but not see the responses, and cannot read administration',
  async (t) => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const me = await call('GET', '/api/auth/me', undefined, headers)
    t.equal(me.statusCode, 200)
    t.equal(me.headers['access-control-allow-origin'], undefined)
    t.equal(me.headers['cross-origin-resource-policy'], 'same-origin')
    t.match((await call('GET', '/api/admin/users', undefined, headers)).json(), {
      status: 403,
      code: 'cross-site'
    })
    t.equal((await call('HEAD', '/api/admin/users', undefined, headers)).statusCode, 403)
    t.equal(
      (await call('GET', '/api/admin/users', undefined, { 'sec-fetch-site': 'same-origin' }))
        .statusCode,
      200
    )
  }
)

t.test('a WebSocket that a page of another site opens is refused on every route', async (t) => {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-site' }
  ]
  for (const url of ['/api/auth/me', '/api/auth/options', '/health', '/api/admin/users']) {
    for (const headers of foreign) {
      const refused = await call('GET', url, undefined, { ...upgrade, ...headers })
      t.match(refused.json(), { status: 403, code: 'cross-site' }, `${url} ${headers.origin}`)
    }
  }
  const opened = async (headers: object) =>
    (await call('GET', '/api/auth/me', undefined, { ...upgrade, ...headers })).statusCode
  t.equal(await opened({}), 200, 'a client that is not a browser')
  t.equal(await opened({ origin: 'http://localhost:3000' }), 200, 'an own page')
})

t.test('a page of another site cannot cause an export of the data', async (t) => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://sibling.example' }
  ]) {
    const refused = await call('GET', '/api/user/export', undefined, headers as never)
    t.match(refused.json(), { status: 403, code: 'cross-site' })
  }
  t.equal(await app.db.$count(activity, eq(activity.action, 'user.export')), 0)
  const own = await call('GET', '/api/user/export', undefined, { 'sec-fetch-site': 'same-origin' })
  t.equal(own.statusCode, 200)
  const origin = 'http://localhost:3000'
  const listed = await call('GET', '/api/user/export', undefined, {
    'sec-fetch-site': 'same-site',
    origin
  })
  t.equal(listed.statusCode, 200, 'an app at a listed origin')
})
