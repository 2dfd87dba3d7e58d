import t from 'tap'
import { createConnection } from '../../src/client/connection.ts'
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
