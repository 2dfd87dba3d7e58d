import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { until } from '../support/app.ts'
import { portalWith } from '../support/app-folder.ts'

/** Handles upgrades as @fastify/websocket does: by the routes, with a response on the bare socket. */
const upgrades = `import fp from 'fastify-plugin'
import { ServerResponse } from 'node:http'
export default fp(async (app) => {
  app.server.on('upgrade', (raw, socket) => {
    const response = new ServerResponse(raw)
    response.assignSocket(socket)
    app.routing(raw, response)
  })
})
`

t.test('a connection does not outlive the refusal of its upgrade', async (t) => {
  const app = await portalWith(t, {
    'plugins/upgrades.js': upgrades,
    'routes/live.js':
      "export default async (app) => {\napp.get('/live', { config: { access: 'session' }, schema: { response: { 200: {} } } }, async () => ({}))\n}\n"
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const connections = () =>
    new Promise<number>((resolve, reject) => {
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
    })
  for (const [url, host, status] of [
    ['/api/live', 'localhost', 401],
    ['/api/auth/options', 'localhost', 200],
    ['/api/live', 'evil.example', 421],
    ['/%', 'localhost', 400]
  ] as const) {
    // It does not end the connection itself.
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    t.teardown(() => client.destroy())
    client.write(
      `GET ${url} HTTP/1.1\r\nhost: ${host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`
    )
    const [answer] = (await once(client, 'data')) as [Buffer]
    t.match(String(answer), `HTTP/1.1 ${status} `, url)
    t.match(String(answer).toLowerCase(), 'connection: close')
    await until(async () => (await connections()) === 0)
  }
})
