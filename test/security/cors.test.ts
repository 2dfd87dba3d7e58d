import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { ownApp, testApp } from '../support/app.ts'
import { captureLog } from '../support/log-capture.ts'

const app = await testApp(t, { PUBLIC_ORIGIN: 'http://localhost:3000' })

const CORS_ORIGINS = ['https://app.example.com', 'https://www.example.com:8443']
const shared = await testApp(t, {
  development: false,
  PUBLIC_ORIGIN: 'https://portal.example.com',
  CORS_ORIGINS
})
const cors = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')))

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
      'access-control-allow-headers':
        'content-type, if-match, if-none-match, portal-user, portal-proof',
      'access-control-expose-headers':
        'etag, link, location, portal-active-keys, retry-after, x-request-id',
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

t.test('a refusal that comes before every hook is readable for a listed origin', async (t) => {
  const listening = await ownApp(t, {
    development: false,
    PUBLIC_ORIGIN: 'https://portal.example.com',
    CORS_ORIGINS
  })
  const origin = CORS_ORIGINS[0]!
  await listening.listen({ port: 0, host: '127.0.0.1' })
  const { port } = listening.server.address() as AddressInfo
  const host = 'portal.example.com'
  const refusals: [status: number, path: string, headers: Record<string, string>][] = [
    [400, '/%zz', { host }],
    [414, `/api/user/theme?x=${'x'.repeat(2100)}`, { host }],
    [421, '/api/auth/me', { host: 'evil.example' }],
    [417, '/api/auth/me', { host, expect: 'something' }],
    [401, '/api/auth/me', { host }],
    [404, '/nothing', { host }]
  ]
  for (const [status, path, headers] of refusals) {
    for (const from of [origin, 'https://evil.example', undefined]) {
      const sent = { ...headers, ...(from !== undefined && { origin: from }) }
      const response = await new Promise<IncomingMessage>((resolve, reject) =>
        request({ port, path, host: '127.0.0.1', headers: sent }, resolve).on('error', reject).end()
      )
      response.resume()
      t.equal(response.statusCode, status, path.slice(0, 20))
      t.equal(response.headers['access-control-allow-origin'], from === origin ? origin : undefined)
      t.match(response.headers.vary, 'Origin')
    }
  }
})

t.test('headers that are listed, such as those of tracing, pass the preflight', async (t) => {
  const traced = await testApp(t, {
    development: false,
    PUBLIC_ORIGIN: 'https://portal.example.com',
    CORS_ORIGINS,
    CORS_HEADERS: ['traceparent', 'baggage']
  })
  const { headers } = await traced.inject({
    method: 'OPTIONS',
    url: '/api/user/theme',
    headers: { origin: CORS_ORIGINS[0]!, 'access-control-request-method': 'PUT' }
  })
  t.equal(
    headers['access-control-allow-headers'],
    'content-type, if-match, if-none-match, portal-user, portal-proof, traceparent, baggage'
  )
})

t.test('a development server says once which origin it does not list', async (t) => {
  const { log, output } = captureLog()
  const own = await ownApp(t, { PUBLIC_ORIGIN: 'http://localhost:3000' }, undefined, log)
  const get = (headers: Record<string, string>) => own.inject({ url: '/api/auth/session', headers })
  await get({ origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' })
  await get({ origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' })
  await get({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' })
  await get({ origin: 'http://localhost:5174', 'sec-fetch-site': 'same-origin' }) // forwarded
  await get({ origin: 'null', 'sec-fetch-site': 'cross-site' })
  await get({})
  const warnings = output()
    .split('\n')
    .filter((line) => line.includes('CORS_ORIGINS'))
  t.equal(warnings.length, 1)
  t.match(
    warnings[0],
    /A page of http:\/\/localhost:5173 .+ set CORS_ORIGINS=http:\/\/localhost:5173"/
  )
})
