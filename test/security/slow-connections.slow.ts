import t from 'tap'
import { buildApp } from '../../src/app.ts'
import { aUser, signedIn, testDatabase } from '../support/app.ts'
import { openSlow, portOf } from '../support/raw-requests.ts'
import { withoutSlack } from '../support/slack.ts'
import { testConfig } from '../support/test-config.ts'

withoutSlack(t)
const app = buildApp(testConfig(), { database: await testDatabase(t) })
app.register(async (scope) => {
  scope.post(
    '/hangs',
    { config: { access: 'public' }, schema: { response: { 200: {} } } },
    () => new Promise(() => {})
  )
})
t.teardown(() => app.close())
await app.listen({ host: '127.0.0.1', port: 0 })
const port = portOf(app)
const base = `http://localhost:${port}`
const cookie = await signedIn(app, (await aUser(app.database)).email)

const many = <T>(make: () => T) => Array.from({ length: 100 }, make)
const slowly = { bytes: 'x', every: 400 }
const kinds = {
  'that send nothing': () => openSlow(port, ''),
  'whose headers never end': () =>
    openSlow(port, 'GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\nX: ', slowly),
  'whose body never ends': () =>
    openSlow(
      port,
      'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n',
      slowly
    )
}
/**
 * Milliseconds. The server's limits are 5 s for headers and 10 s for a request; on a busy machine
 * it checks them late. The next limit, for kept-alive connections, is 72 s.
 */
const limits = {
  'that send nothing': 60_000,
  'whose headers never end': 60_000,
  'whose body never ends': 60_000
}

const hanging = fetch(`${base}/hangs`, { method: 'POST' })

t.test(
  'three hundred slow connections do not block the service and are closed within their limits',
  async (t) => {
    const connections = Object.entries(kinds).flatMap(([kind, open]) =>
      many(() => ({ kind: kind as keyof typeof limits, ...open() }))
    )
    t.teardown(() => connections.forEach(({ socket }) => socket.destroy()))
    let cut = 0
    for (const { closed } of connections) {
      closed.then(() => {
        cut++
      })
    }

    let answered = 0
    while (cut < connections.length) {
      const allOpen = cut === 0
      t.equal((await fetch(`${base}/health/live`)).status, 200)
      t.equal((await fetch(`${base}/api/auth/me`, { headers: { cookie } })).status, 200)
      if (allOpen) answered++
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    t.ok(answered > 0, `${answered} rounds were begun while all of them were open`)
    for (const kind of Object.keys(kinds) as (keyof typeof limits)[]) {
      const of = connections.filter((connection) => connection.kind === kind)
      const slowest = Math.max(...(await Promise.all(of.map(({ closed }) => closed))))
      t.ok(slowest < limits[kind], `the last of those ${kind} was cut after ${slowest} ms`)
      if (kind !== 'that send nothing') {
        t.ok(
          of.every(
            ({ received }) =>
              (received().match(/^HTTP\/1.1 408 Request Timeout/g) ?? []).length === 1
          ),
          `connections ${kind} get one response with the reason`
        )
      }
    }
  }
)

t.test('a change that hangs in the database ends with 503', async (t) => {
  const response = await hanging
  t.same([response.status, response.headers.get('retry-after')], [503, '1'])
  t.match(await response.json(), { code: 'overloaded' })
})
