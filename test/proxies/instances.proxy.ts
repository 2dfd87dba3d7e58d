import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { until } from '../support/app.ts'
import { ask, startService, valuesOf } from './asking.ts'
import type { Proxy } from './proxies.ts'
import { aWorld, theProxies } from './world.ts'

// Which instance answers. In place of the instances: servers that answer with their names, and hang
// up after POST.
const [a, b] = [await aStandIn('a'), await aStandIn('b')]
const service = await startService(t)
const proxies = await theProxies(t, { portals: [a.port, b.port], service })
const cookies = Array.from(
  { length: 100 },
  () => `__Host-portal_session=${randomBytes(32).toString('base64url')}`
)

async function aStandIn(name: string) {
  const seen = { changes: 0 }
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      seen.changes++
      request.socket.destroy()
    } else if (request.url?.startsWith('/api/auth/check')) {
      response.writeHead(204, { 'portal-user': name }).end()
    } else response.end(name)
  })
  const start = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const stop = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  const port = await start(0)
  t.teardown(() => server.listening && stop())
  return { port, seen, stop, start: () => start(port) }
}

for (const { name, port } of proxies.filter((proxy) => proxy.name !== 'Caddy')) {
  const path = '/api/auth/me'
  const answering = async (cookie?: string) =>
    (await ask(port, [], { path, ...(cookie !== undefined && { cookie }) })).body
  const checking = async (cookie: string) =>
    valuesOf((await ask(port, service.requests, { cookie })).seen, 'portal-user')?.join()

  t.test(`${name}: the requests of a session go to the same instance`, async (t) => {
    const shares = { a: 0, b: 0 }
    for (const cookie of cookies) {
      const chosen = (await answering(cookie)) as 'a' | 'b'
      shares[chosen]++
      t.equal(await answering(cookie), chosen)
      t.equal(await answering(`theme=dark; ${cookie}; lang=de`), chosen)
      t.equal(await checking(cookie), chosen, 'the check of a service')
    }
    t.ok(Math.min(shares.a, shares.b) >= 20, JSON.stringify(shares))
  })

  t.test(`${name}: requests without a session reach all instances`, async (t) => {
    for (const cookie of [undefined, 'theme=dark', '__Host-portal_device=1']) {
      const answers = new Set<string>()
      for (let i = 0; i < 40; i++) answers.add(await answering(cookie))
      t.same([...answers].sort(), ['a', 'b'], cookie ?? 'without a cookie')
    }
  })

  t.test(`${name}: a session returns to its instance after a failure`, async (t) => {
    const before = await Promise.all(cookies.map(answering))
    await a.stop()
    t.same(new Set(await Promise.all(cookies.map(answering))), new Set(['b']))
    t.same(new Set(await Promise.all(cookies.map(checking))), new Set(['b']))
    await a.start()
    await until(async () => {
      const after = await Promise.all(cookies.map(answering))
      return after.join() === before.join()
    })
  })
}

for (const { name, port } of proxies) {
  t.test(`${name}: a change that reached an instance is sent to no other`, async (t) => {
    a.seen.changes = b.seen.changes = 0
    for (const cookie of cookies.slice(0, 10)) {
      const before = a.seen.changes + b.seen.changes
      const sent = { method: 'POST', path: '/api/auth/logout', body: '{}', cookie }
      t.equal((await ask(port, [], sent)).status, name === 'HAProxy' ? 502 : 503)
      // After a failure, nginx asks nobody for two seconds.
      t.ok(a.seen.changes + b.seen.changes <= before + 1)
    }
    t.ok(a.seen.changes + b.seen.changes > 0)
  })
}

t.test('every session is answered by the other instance when one has ended', async (t) => {
  const world = await aWorld(t)
  const all: (Proxy & { users: { id: string; cookie: string }[] })[] = []
  for (const proxy of await theProxies(t, world)) {
    const users = []
    for (let i = 0; i < 20; i++) users.push(await world.signedInUser())
    all.push({ ...proxy, users })
  }
  const askAll = async () => {
    for (const { name, port, users } of all) {
      for (const { id, cookie } of users) {
        const me = await ask(port, [], { path: '/api/auth/me', cookie })
        t.match(me, { status: 200, body: new RegExp(id) }, name)
        t.match(await ask(port, world.service.requests, { cookie }), { status: 200 }, name)
      }
    }
  }
  await askAll()
  world.instances[1].process.kill('SIGKILL')
  await world.instances[1].exit
  await askAll()
  for (const { name, port, users } of all) {
    for (const { cookie } of users) {
      const sent = { method: 'POST', path: '/api/auth/logout', cookie, body: '' }
      t.match(await ask(port, [], sent), { status: 204 }, name)
    }
  }
})
