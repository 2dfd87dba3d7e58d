import t from 'tap'
import { aUser, signedIn, testApp } from './helpers.ts'

// Run by contract.test.ts, which expects that the inner test fails and the first does not.
const app = await testApp(t)
const { paths } = app.swagger() as unknown as {
  paths: Record<string, Record<'get' | 'post', { responses: Record<string, { headers?: object }> }>>
}
const health = paths['/health/live']
if (health) health.get.responses = {}
delete paths['/api/auth/login']?.post.responses[200]?.headers

t.test('a documented response', async (t) => {
  t.equal((await app.inject('/api/auth/me')).statusCode, 401)
})
t.test('outer', async (t) => {
  await t.test('an undocumented response', async (t) => {
    t.equal((await app.inject('/health/live')).statusCode, 200)
  })
  await t.test('a response with an undocumented cookie', async (t) => {
    t.match(await signedIn(app, (await aUser(app.database)).email), 'portal_session')
  })
})
