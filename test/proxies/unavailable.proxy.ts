import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { until } from '../support/app.ts'
import { ask, startService } from './asking.ts'
import { startHaproxy, startNginx } from './proxies.ts'
import { theProxies } from './world.ts'

const service = await startService(t)

t.test('without an instance, the paths of the portal get problem documents', async (t) => {
  const portals = [9, 7] as const // where nothing listens
  for (const { name, port } of await theProxies(t, { portals, service })) {
    for (const path of ['/api/auth/session', '/openapi.json']) {
      const { status, headers, body } = await ask(port, [], { path })
      t.equal(status, 503, `${name} ${path}`)
      t.match(headers, { 'retry-after': '2', 'cache-control': 'no-store' }, name)
      t.notMatch(`${headers.server}${body}`, /\d\.\d|html/, name)
    }
  }
})

t.test('a body that nginx finds too large gets a problem document', async (t) => {
  const portals = [service.port, service.port] as const
  const body = JSON.stringify({ email: 'x'.repeat(2_000_000) })
  const headers: [string, string][] = [['Content-Type', 'application/json']]
  const { port } = await startNginx(t, { portals, service: service.port })
  for (const path of ['/api/auth/login', '/api/invoices']) {
    const sent = { method: 'POST', path, headers, body }
    t.match(await ask(port, [], sent), { status: 413, code: 'body-too-large' }, path)
  }
})

t.test('a change that hangs at one instance is not repeated at the other one', async (t) => {
  const asked: string[] = []
  const stand = createServer((request, response) => {
    if (request.url === '/health') return response.end()
    asked.push(`${request.method}`)
  })
  stand.listen(0, '127.0.0.1')
  await once(stand, 'listening')
  t.teardown(() => {
    stand.closeAllConnections()
    stand.close()
  })
  const { port } = stand.address() as AddressInfo
  const behind = { portals: [port, port] as const, service: service.port, app: service.port }
  // Shorter than in the files, and longer than the time for another try.
  const all = [
    await startNginx(t, behind, { 'proxy_read_timeout 20s;': 'proxy_read_timeout 6s;' }),
    await startHaproxy(t, behind, { 'timeout server 20s': 'timeout server 6s' })
  ]
  for (const { name, port } of all) {
    for (const method of ['PUT', 'DELETE', 'POST']) {
      asked.length = 0
      const { status } = await until(async () => {
        const answer = await ask(port, [], { method, path: '/api/user/theme' })
        return asked.length > 0 ? answer : undefined
      })
      t.ok(status === 503 || status === 504, `${name} ${method} ${status}`)
      t.same(asked, [method], name)
    }
  }
})
