import { networkInterfaces } from 'node:os'
import t from 'tap'
import { aCaller, testApp } from '../helpers.ts'

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

const statusOf = async (on: typeof app, host: string) =>
  (await on.inject({ url: '/api/auth/me', headers: { host } })).statusCode

t.test('the portal serves the address in HOST in development, but not in production', async (t) => {
  const here = await testApp(t, { HOST: '127.0.0.2' })
  t.same(
    [await statusOf(here, '127.0.0.2:3000'), await statusOf(here, '127.0.0.3:3000')],
    [401, 421]
  )
  const named = await testApp(t, { HOST: 'Box.lan' })
  t.same(
    [await statusOf(named, 'box.lan:3000'), await statusOf(named, 'box.lan.evil.example')],
    [401, 421]
  )
  const six = await testApp(t, { HOST: 'fd00::2' })
  t.same([await statusOf(six, '[fd00::2]:3000'), await statusOf(six, '[fd00::3]:3000')], [401, 421])
  const production = await testApp(t, {
    development: false,
    HOST: '127.0.0.2',
    PUBLIC_ORIGIN: 'https://portal.example.com'
  })
  t.equal(await statusOf(production, '127.0.0.2:3000'), 421)
})

t.test(
  'a development server on all addresses serves the addresses of this machine and no other host',
  async (t) => {
    const addresses = Object.values(networkInterfaces())
      .flat()
      .flatMap((each) => (each ? [each] : []))
    t.ok(addresses.length > 0)
    for (const HOST of ['0.0.0.0', '::']) {
      const everywhere = await testApp(t, { HOST })
      for (const { address, family } of addresses) {
        t.equal(
          await statusOf(everywhere, `${family === 'IPv6' ? `[${address}]` : address}:3000`),
          401,
          address
        )
      }
      for (const host of ['0.0.0.0:3000', '[::]:3000', '192.0.2.1:3000', 'evil.example']) {
        t.equal(await statusOf(everywhere, host), 421, host)
      }
    }
  }
)

t.test(
  'a page of a development server may write to it, over plain HTTP without Sec-Fetch-Site',
  async (t) => {
    const here = await testApp(t, { HOST: '192.0.2.7' })
    const { cookie } = await aCaller(here)
    const write = async (host: string, origin: string) =>
      (
        await here.inject({
          method: 'PUT',
          url: '/api/user/theme',
          headers: { cookie, host, origin },
          payload: { theme: 'dark' }
        })
      ).statusCode
    t.equal(await write('192.0.2.7:3000', 'http://192.0.2.7:3000'), 200)
    for (const origin of [
      'http://192.0.2.7:4000',
      'http://192.0.2.7',
      'https://192.0.2.7:3000',
      'http://evil.example',
      'null'
    ]) {
      t.equal(await write('192.0.2.7:3000', origin), 403, origin)
    }
    t.equal(await write('evil.example', 'http://evil.example'), 421)
    const production = await testApp(t, {
      development: false,
      PUBLIC_ORIGIN: 'http://localhost:3000'
    })
    const other = await aCaller(production)
    const answer = await production.inject({
      method: 'PUT',
      url: '/api/user/theme',
      headers: { cookie: other.cookie, host: 'localhost:4000', origin: 'http://localhost:4000' },
      payload: { theme: 'dark' }
    })
    t.equal(answer.statusCode, 403, 'not in production')
  }
)

t.test(
  'the portal serves local host names in development, and its own and listed ones in production',
  async (t) => {
    const production = await testApp(t, {
      development: false,
      PUBLIC_ORIGIN: 'https://portal.example.com',
      ALLOWED_HOSTS: ['portal.internal']
    })
    const local = await testApp(t, { ALLOWED_HOSTS: [] })
    const names = {
      local: [
        'localhost',
        'localhost:3000',
        '127.0.0.1:3000',
        '[::1]:3000',
        'LOCALHOST:80',
        'app.localhost:3000'
      ],
      production: [
        'portal.example.com',
        'PORTAL.example.com:443',
        'portal.internal',
        'portal.internal:8080'
      ],
      nobody: [
        'evil.example',
        'evil.example:3000',
        'localhost.evil.example',
        '192.168.0.1',
        'evillocalhost',
        'portal.example.com.evil.example',
        'xportal.example.com',
        'portal.example.com@evil.example',
        'portal.example.com:x',
        '.localhost'
      ]
    }
    const status = async (on: typeof app, host: string) =>
      (await on.inject({ url: '/api/auth/me', headers: { host } })).statusCode
    for (const host of names.local) {
      t.same([await status(local, host), await status(production, host)], [401, 421], host)
    }
    for (const host of names.production) {
      t.same([await status(local, host), await status(production, host)], [421, 401], host)
    }
    for (const host of names.nobody) {
      t.same([await status(local, host), await status(production, host)], [421, 421], host)
    }
    const refused = await production.inject({
      url: '/api/nothing',
      headers: { host: 'evil.example' }
    })
    t.match(refused.json(), { status: 421, code: 'host-not-allowed' })
    t.equal(
      (await production.inject({ url: '/health', headers: { host: '10.0.0.7' } })).statusCode,
      200,
      'probes of balancers'
    )
  }
)

t.test('without a list of origins no response has a CORS header', async (t) => {
  for (const method of ['GET', 'OPTIONS'] as const) {
    const response = await app.inject({
      method,
      url: '/api/auth/me',
      headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'PUT' }
    })
    t.same(
      Object.keys(response.headers).filter(
        (name) => name.startsWith('access-control') || name === 'vary'
      ),
      []
    )
  }
})

const CORS_ORIGINS = ['https://app.example.com', 'https://www.example.com:8443']
const shared = await testApp(t, {
  development: false,
  PUBLIC_ORIGIN: 'https://portal.example.com',
  CORS_ORIGINS
})
const cors = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')))

t.test('an app of a listed origin passes the preflight and reads the response', async (t) => {
  for (const origin of CORS_ORIGINS) {
    const preflight = await shared.inject({
      method: 'OPTIONS',
      url: '/api/user/theme',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type, x-other'
      }
    })
    t.equal(preflight.statusCode, 204)
    t.same(cors(preflight.headers), {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'content-type, if-match, if-none-match',
      'access-control-expose-headers': 'etag, link, location, retry-after, x-request-id',
      'access-control-max-age': '600'
    })
    const answer = await shared.inject({
      url: '/api/auth/me',
      headers: { origin, 'sec-fetch-site': 'same-site' }
    })
    t.match(answer.headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin'
    })
    const login = await shared.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { origin, 'sec-fetch-site': 'same-site' },
      payload: { email: 'nobody@example.com', password: 'not this one' }
    })
    t.equal(login.statusCode, 401, 'and changes something')
  }
})

for (const origin of [
  'https://evil.example',
  'null',
  'https://app.example.com.evil.example',
  'https://app.example.com:443',
  'http://app.example.com',
  'https://APP.example.com',
  'https://evil-app.example.com',
  '*'
]) {
  t.test(
    `the unlisted origin ${origin} gets no CORS headers and cannot change anything`,
    async (t) => {
      const preflight = await shared.inject({
        method: 'OPTIONS',
        url: '/api/user/theme',
        headers: { origin, 'access-control-request-method': 'PUT' }
      })
      t.same(cors(preflight.headers), {})
      t.equal(preflight.headers.vary, 'Origin')
      t.same(cors((await shared.inject({ url: '/api/auth/me', headers: { origin } })).headers), {})
      t.equal(
        (
          await shared.inject({
            method: 'POST',
            url: '/api/auth/logout',
            headers: { origin, 'sec-fetch-site': 'same-site' }
          })
        ).statusCode,
        403
      )
      t.equal(
        (await shared.inject({ method: 'POST', url: '/api/auth/logout', headers: { origin } }))
          .statusCode,
        403
      )
    }
  )
}
