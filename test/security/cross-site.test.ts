import t from 'tap'
import { aCaller, testApp } from '../helpers.ts'

const app = await testApp(t, { PUBLIC_ORIGIN: 'http://localhost:3000' })
const { call } = await aCaller(app, 'admin')
const theme = async (headers: Record<string, string>) => (await call('PUT', '/api/user/theme', { theme: 'dark' }, headers)).statusCode

t.test('what changes something is taken from the app\'s own pages and from no browser at all', async (t) => {
  t.equal(await theme({}), 200, 'no browser')
  t.equal(await theme({ 'sec-fetch-site': 'same-origin' }), 200)
  t.equal(await theme({ 'sec-fetch-site': 'none' }), 200, 'typed by its user')
  t.equal(await theme({ origin: 'http://localhost:3000' }), 200, 'an old browser that sends only Origin')
  t.equal(await theme({ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }), 200, 'an origin that is listed')
})

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
  t.test(`what changes something is refused with ${JSON.stringify(headers)}`, async (t) => {
    t.equal(await theme(headers as Record<string, string>), 403)
    for (const url of ['/api/auth/login', '/api/auth/register', '/api/auth/logout']) {
      const response = await app.inject({ method: 'POST', url, headers, payload: {} })
      t.equal(response.statusCode, 403, url)
      t.match(response.json(), { code: 'cross-site' })
    }
  })
}

t.test('a refused request from another site does not even sign out', async (t) => {
  await call('POST', '/api/auth/logout', undefined, { 'sec-fetch-site': 'cross-site' })
  t.equal((await call('GET', '/api/auth/me')).statusCode, 200)
})

t.test('reading is open to other sites, which cannot see the answer; reading administration is not', async (t) => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const me = await call('GET', '/api/auth/me', undefined, headers)
  t.equal(me.statusCode, 200)
  t.equal(me.headers['access-control-allow-origin'], undefined)
  t.equal(me.headers['cross-origin-resource-policy'], 'same-origin')
  t.match((await call('GET', '/api/admin/users', undefined, headers)).json(), { status: 403, code: 'cross-site' })
  t.equal((await call('HEAD', '/api/admin/users', undefined, headers)).statusCode, 403)
  t.equal((await call('GET', '/api/admin/users', undefined, { 'sec-fetch-site': 'same-origin' })).statusCode, 200)
})

t.test('administration answers to names of this machine only', async (t) => {
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST:80', 'app.localhost:3000']) {
    t.equal((await call('GET', '/api/admin/users', undefined, { host })).statusCode, 200, host)
  }
  for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', '192.168.0.1', 'evillocalhost']) {
    const response = await call('GET', '/api/admin/users', undefined, { host })
    t.equal(response.statusCode, 421, host)
    t.match(response.json(), { code: 'host-not-allowed' })
  }
})
