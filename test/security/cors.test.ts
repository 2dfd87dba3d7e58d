import t from 'tap'
import { testApp } from '../support/app.ts'

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
      'access-control-allow-headers': 'content-type, if-match, if-none-match, portal-user',
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
