import t from 'tap'
import { createConnection } from '../../src/client/connection.ts'
import { ok } from '../../src/client/refusals.ts'
import { aCaller, testApp } from '../support/app.ts'

type Method = 'GET' | 'PUT' | 'DELETE'

t.test('the client says so when the portal is older, and at no other refusal', async (t) => {
  const app = await testApp(t)
  const { call } = await aCaller(app)
  const { api } = createConnection({
    baseUrl: 'https://app.example.com',
    // A portal from before users had a name, and before they could change their theme.
    async fetch({ method, url }) {
      const path = new URL(url).pathname
        .replace('/user/name', '/user/name-of-later')
        .replace('/user/theme', '/user/profile')
      const { statusCode, headers, body } = await call(method as Method, path)
      return new Response(body, {
        status: statusCode,
        headers: { 'content-type': String(headers['content-type']) }
      })
    }
  })
  const warnings: unknown[] = []
  t.intercept(console, 'warn', { value: (text: unknown) => warnings.push(text) })

  const unknownPath = await api.PUT('/api/user/name', { body: { name: 'Ada' } })
  t.match(unknownPath, { error: { code: 'not-found' } })
  const unknownMethod = await api.PUT('/api/user/theme', { body: { theme: 'dark' } })
  t.match(unknownMethod, { error: { code: 'method-not-allowed' } })
  t.match(warnings, [
    'The portal has no PUT https://app.example.com/api/user/name: it is older',
    'The portal has no PUT https://app.example.com/api/user/theme: it is older'
  ])

  const id = crypto.randomUUID()
  const missing = await api.DELETE('/api/user/sessions/{id}', { params: { path: { id } } })
  t.equal(missing.response.status, 404, 'the portal has the operation, and no such session')
  t.equal((await api.GET('/api/user/profile')).response.status, 200)
  t.equal(warnings.length, 2)
})

t.test(
  'a call that a proxy refuses with what is no JSON is a refusal without a problem',
  async (t) => {
    const answers = [
      new Response('', { status: 401, headers: { 'content-type': 'application/json' } }),
      new Response('<h1>502', { status: 502, headers: { 'content-type': 'text/html' } }),
      new Response('<h1>502', { status: 502, headers: { 'content-type': 'application/json' } })
    ]
    const { api } = createConnection({
      baseUrl: 'https://app.example.com',
      fetch: async () => answers.shift() ?? Response.error()
    })
    for (const status of [401, 502, 502]) {
      await t.rejects(ok(api.GET('/api/auth/me')), {
        name: 'RejectedCall',
        problem: {},
        message: `The server responded with ${status}. Try again later.`
      })
    }
    const head = createConnection({
      baseUrl: 'https://app.example.com',
      fetch: async () =>
        new Response(null, { status: 401, headers: { 'content-type': 'application/problem+json' } })
    })
    t.equal(
      (await head.fetch('https://app.example.com/api/auth/me', { method: 'HEAD' })).status,
      401
    )
  }
)
