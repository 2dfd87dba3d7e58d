import t from 'tap'
import { slack } from '../../db/transaction.ts'
import { buildApp } from '../../src/app.ts'
import { started, testDatabase, until } from '../support/app.ts'
import { portOf } from '../support/raw-requests.ts'
import { testConfig } from '../support/test-config.ts'

t.test('a change that takes too long ends with 503, with and without a body', async (t) => {
  const app = buildApp(testConfig(), { database: await testDatabase(t) })
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let running = 0
  const config = { access: 'public' } as const
  app.register(async (scope) => {
    scope.route({
      method: ['POST', 'PUT', 'GET'],
      url: '/slow',
      config,
      schema: { hide: true, response: { 200: {} } },
      async handler() {
        running++
        await finished
        running--
        return { done: true }
      }
    })
  })
  await started(t, app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${portOf(app)}/slow`
  const { factor } = slack
  t.teardown(() => {
    slack.factor = factor
  })
  slack.factor = 0.03 // of 15 s
  const json = { 'content-type': 'application/json' }
  const requests = {
    'POST with a body': { method: 'POST', headers: json, body: '{"some":"body"}' },
    'PUT with a body': { method: 'PUT', headers: json, body: '{"some":"body"}' },
    'POST without a body': { method: 'POST' }
  }
  for (const [name, request] of Object.entries(requests)) {
    const since = performance.now()
    const response = await fetch(url, request)
    const took = performance.now() - since
    t.same([response.status, response.headers.get('retry-after')], [503, '1'], name)
    t.match(await response.json(), { code: 'overloaded' }, name)
    t.ok(took >= 400, `${name}: ${took} ms`)
  }
  const read = fetch(url)
  await until(() => running === 4)
  finish()
  t.equal((await read).status, 200, 'reads have no such limit')
  await until(() => running === 0)
  t.equal((await fetch(url, { method: 'POST' })).status, 200, 'late results do no harm')
})
