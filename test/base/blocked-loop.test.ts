import { monitorEventLoopDelay } from 'node:perf_hooks'
import t from 'tap'
import { loopFinding } from '../../src/commands/proxy-findings.ts'
import { until } from '../support/app.ts'
import { portalWith } from '../support/app-folder.ts'
import { captureLog } from '../support/log-capture.ts'
import { freePort } from '../support/postgres.ts'
import { portOf, sendRaw } from '../support/raw-requests.ts'
import { withoutSlack } from '../support/slack.ts'

const routes = `const block = () => { for (const end = Date.now() + 400; Date.now() < end; ); }
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export default async (app) => {
  const add = (name, handler) => app.get('/' + name + '/:id', { config: { access: 'public' }, schema: { response: { 200: {} } } }, handler)
  add('at-once', async () => { block(); return {} })
  add('later', async () => { await later(20); block(); await later(20); return {} })
  add('patient', async () => { await later(600); return {} })
}
`

t.test('a route that blocks the event loop is named in the log, and counted', async (t) => {
  withoutSlack(t)
  const begun = performance.now()
  const { log, output } = captureLog()
  const port = await freePort()
  const app = await portalWith(t, { 'routes/work.js': routes }, { METRICS_PORT: port }, log)
  const blocked = () =>
    output()
      .split('\n')
      .filter((line) => line.includes('the event loop was blocked'))
      .map((line) => JSON.parse(line) as { routes: string[]; ms: number })
  const isCalled = async (name: string) => (await app.inject(`/api/${name}/1`)).statusCode === 200
  for (const name of ['at-once', 'later']) {
    const route = `GET /api/${name}/:id`
    t.ok(await isCalled(name))
    await until(() => blocked().some(({ routes }) => routes.includes(route)))
    const { routes, ms } = blocked().at(-1) ?? { routes: [], ms: 0 }
    t.same(routes, [route])
    t.ok(ms >= 400 && ms <= performance.now() - begun, String(ms))
  }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const count = blocked().length
  t.match(metrics, `portal_app_failures_total{kind="blockedLoop"} ${count}`)

  const delays = monitorEventLoopDelay()
  delays.enable()
  t.ok(await isCalled('patient'))
  delays.disable()
  // A busy machine blocks the event loop as well.
  if (delays.max < 1e8) t.equal(blocked().length, count, 'a route that waits blocks nothing')
})

t.test(
  'a request for /health waits for a route that blocks, and the instance stays ready',
  async (t) => {
    const app = await portalWith(t, { 'routes/work.js': routes })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const get = (url: string, connection: string) =>
      `GET ${url} HTTP/1.1\r\nhost: localhost\r\nconnection: ${connection}\r\n\r\n`
    const looking = app.readiness.look()
    const begun = performance.now()
    // On one connection, so that the second one begins behind the block.
    const requests = get('/api/at-once/1', 'keep-alive') + get('/health', 'close')
    const { answers } = await sendRaw(portOf(app), requests)
    t.match(answers, [{ status: 200 }, { status: 200, body: '{"status":"ok"}' }])
    t.ok(performance.now() - begun >= 400)
    await looking
    t.equal(app.readiness.reason(), undefined)
  }
)

t.test('doctor says how late the event loop was', async (t) => {
  const port = await freePort()
  const app = await portalWith(t, { 'routes/work.js': routes }, { METRICS_PORT: port })
  const look = (of: { METRICS_PORT?: number }) => loopFinding({ HOST: '127.0.0.1', ...of })
  for (let n = 0; n < 5; n++) await app.inject('/api/at-once/1')
  t.match(await until(() => look({ METRICS_PORT: port })), {
    result: 'warning',
    finding: /p99 (?:[4-9]\d\d|\d{4,}) ms/,
    todo: /names the routes/
  })
  t.equal(await look({}), undefined)
  t.equal(
    await look({ METRICS_PORT: await freePort() }),
    undefined,
    'an instance that does not run'
  )
})
