import t from 'tap'
import { aUser, signedIn, testApp } from './app.ts'

// Run by contract.slow.ts, which expects that the inner test fails and the first does not.
const app = await testApp(t)
t.teardown(() => process.emit('disconnect')) // as the test runner, which closes shared applications
interface Response {
  headers?: object
  content: Record<string, { schema: { allOf: { properties?: { code: { enum: string[] } } }[] } }>
}
const { paths } = app.swagger() as unknown as {
  paths: Record<string, Record<'get' | 'post', { responses: Record<string, Response> }>>
}
const health = paths['/health/live']
if (health) health.get.responses = {}
const login = paths['/api/auth/login']?.post.responses
delete (login?.[200]?.headers as { 'Set-Cookie'?: object })['Set-Cookie']
const [, narrowing] = login?.[401]?.content['application/problem+json']?.schema.allOf ?? []
const codes = narrowing?.properties?.code.enum.splice(0, 1, 'another-code')

t.test('a documented response', async (t) => {
  t.equal((await app.inject('/api/auth/me')).statusCode, 401)
})
t.test('outer', async (t) => {
  await t.test('an undocumented response', async (t) => {
    t.equal((await app.inject('/health/live')).statusCode, 200)
  })
  await t.test('a response with an undocumented code', async (t) => {
    t.same(codes, ['invalid-credentials'])
    const payload = { email: 'nobody@example.com', password: 'wrong' }
    const answer = await app.inject({ method: 'POST', url: '/api/auth/login', payload })
    t.equal(answer.statusCode, 401)
  })
  await t.test('a response with an undocumented cookie', async (t) => {
    t.match(await signedIn(app, (await aUser(app.database)).email), 'portal_session')
  })
})
