import t from 'tap'
import { testApp } from './helpers.ts'

// Run by contract.test.ts, which expects that the inner test fails and the first does not.
const app = await testApp(t)
const { paths } = app.swagger() as unknown as {
  paths: Record<string, { get: { responses: object } }>
}
const health = paths['/health/live']
if (health) health.get.responses = {}

t.test('a documented response', async (t) => {
  t.equal((await app.inject('/api/auth/me')).statusCode, 401)
})
t.test('outer', async (t) => {
  await t.test('an undocumented response', async (t) => {
    t.equal((await app.inject('/health/live')).statusCode, 200)
  })
})
