import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { until } from '../support/app.ts'
import { ask, startService } from './asking.ts'
import { theProxies } from './world.ts'

// In place of the portal: a server that answers as no portal does, or not at all. /health is good,
// so that HAProxy asks it.
let answer: RequestListener = (_request, response) => response.end()
let asked = 0
const stand = createServer((request, response) => {
  if (request.url === '/health') return response.end()
  asked++
  answer(request, response)
})
stand.listen(0, '127.0.0.1')
await once(stand, 'listening')
const close = () => {
  stand.closeAllConnections()
  return new Promise((resolve) => stand.close(resolve))
}
t.teardown(() => stand.listening && close())
const { port } = stand.address() as AddressInfo
const service = await startService(t)
const proxies = await theProxies(t, { portals: [port, port], service })

const refusal = {
  'content-type': 'application/problem+json; charset=utf-8',
  'portal-user': 'forged'
}
const body = JSON.stringify({ status: 503, code: 'database-unavailable' })
const complete = { ...refusal, 'content-length': body.length, 'cache-control': 'no-store' }
const yes: RequestListener = (_, response) =>
  response.writeHead(204, { 'portal-user': 'ada' }).end()
const cases: Record<string, [answer: RequestListener, code?: string]> = {
  'that answers 503 with a document': [
    (_, response) =>
      response
        .writeHead(503, { ...complete, 'portal-problem': body, 'retry-after': '7' })
        .end(body),
    'database-unavailable'
  ],
  'that answers 503 without one': [(_, response) => response.writeHead(503).end()],
  ...Object.fromEntries(
    [200, 201, 202, 203, 205, 206].map((status): [string, [RequestListener]] => [
      `that answers ${status} and names a user`,
      [(_, response) => response.writeHead(status, { 'portal-user': 'forged' }).end()]
    ])
  ),
  'that answers 204 without a user': [(_, response) => response.writeHead(204).end()],
  'whose user is empty': [(_, response) => response.writeHead(204, { 'portal-user': '' }).end()],
  'that answers 200 for the user 204': [
    (_, response) => response.writeHead(200, { 'portal-user': '204/204 204/x' }).end()
  ],
  'that fails with 500': [(_, response) => response.writeHead(500, refusal).end(body)],
  'that knows no check': [(_, response) => response.writeHead(404, refusal).end(body)],
  'that redirects': [(_, response) => response.writeHead(302, { location: '/' }).end()],
  'that redirects to a yes': [
    ({ url }, response) =>
      url === '/yes'
        ? response.writeHead(204, { 'portal-user': 'forged' }).end()
        : response.writeHead(302, { location: '/yes' }).end()
  ],
  'that hangs': [() => {}],
  'that hangs up': [({ socket }) => socket.destroy()],
  'that answers nonsense': [({ socket }) => socket.end('HTTP/1.1 abc\r\n\r\n')],
  'that ends in the middle of a yes': [
    ({ socket }) => socket.end('HTTP/1.1 204 No Content\r\nPortal-User: x')
  ],
  'that sends endless headers': [
    ({ socket }) => socket.end(`HTTP/1.1 204 No Content\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`)
  ]
}

for (const proxy of proxies) {
  const check = () => ask(proxy.port, service.requests, { cookie: 'a=b' })
  for (const [kind, [answering, code = 'unavailable']] of Object.entries(cases)) {
    t.test(`${proxy.name}: a portal ${kind} is no yes`, async (t) => {
      answer = answering
      asked = 0
      // After a failure, nginx asks nobody for two seconds.
      await until(async () => {
        const got = await check()
        t.match(got, { status: 503, code, seen: undefined })
        t.equal(got.headers['cache-control'], 'no-store')
        if (code === 'database-unavailable') t.equal(got.headers['retry-after'], '7')
        return asked > 0
      })
    })
  }
}

for (const proxy of proxies) {
  const check = () => ask(proxy.port, service.requests, { cookie: 'a=b' })
  /** The status, the number of checks and the time in ms while the portal hangs. */
  const hanging = (requests: number) =>
    // After a failure, each process of nginx asks nobody for two seconds, and then once.
    until(async () => {
      answer = () => {}
      asked = 0
      const since = performance.now()
      const answers = await Promise.all(Array.from({ length: requests }, check))
      const statuses = [...new Set(answers.map(({ status }) => status))]
      const took = Math.round(performance.now() - since)
      return asked > 0 ? { statuses, asked, took } : undefined
    })

  t.test(`${proxy.name}: a portal that hangs is asked once, for three seconds`, async (t) => {
    const { took, ...seen } = await hanging(1)
    t.same(seen, { statuses: [503], asked: 1 })
    t.ok(took > 2900 && took < 3900, `${took} ms`)
  })

  t.test(
    `${proxy.name}: twenty requests make at most twenty checks of a portal that hangs`,
    async (t) => {
      const { statuses, asked, took } = await hanging(20)
      t.same(statuses, [503])
      if (proxy.name === 'nginx') t.ok(asked <= 20, `${asked} checks`)
      else t.equal(asked, 20)
      t.ok(took > 2900 && took < 4500, `${took} ms`)
    }
  )

  t.test(`${proxy.name}: a portal that needs 2.5 s is waited for`, async () => {
    answer = (request, response) => setTimeout(() => yes(request, response), 2500)
    await until(async () => (await check()).status === 200)
  })
}

t.test('without a portal every request is rejected, and admitted again afterwards', async (t) => {
  await close()
  for (const proxy of proxies) {
    t.match(
      await ask(proxy.port, service.requests, { cookie: 'a=b' }),
      { status: 503, code: 'unavailable', seen: undefined },
      proxy.name
    )
  }
})

t.test('a service that does not answer leads to a problem document', async (t) => {
  stand.listen(port, '127.0.0.1')
  await once(stand, 'listening')
  answer = yes
  const gone = await theProxies(t, { portals: [port, port], service: { port: 9 } })
  for (const proxy of gone) {
    t.match(await ask(proxy.port, [], { cookie: 'a=b' }), { status: 503 }, proxy.name)
  }
})
