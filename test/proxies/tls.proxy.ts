import { once } from 'node:events'
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { connect, getCiphers } from 'node:tls'
import t from 'tap'
import { appPage, startNginx } from './proxies.ts'
import { aWorld } from './world.ts'

const host = 'portal.example.com'
const world = await aWorld(t, { PUBLIC_ORIGIN: `https://${host}` })
const { port, plainPort, cert } = await startNginx(
  t,
  { portals: world.portals, service: world.service.port },
  {},
  true
)

/** The status and body of a page over TLS, whose certificate must be the given one. */
const over = (path: string) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, ca: cert, servername: host, headers: { host } }
    request(options, (response) => {
      let body = ''
      response
        .setEncoding('utf8')
        .on('data', (chunk) => {
          body += chunk
        })
        .on('end', () => resolve({ status: response.statusCode, body }))
    })
      .on('error', reject)
      .end()
  })

t.test(
  'nginx serves the portal and the app over TLS with the certificate that was filled in',
  async (t) => {
    t.same(await over('/health'), { status: 200, body: '{"status":"ok"}' })
    t.match(await over('/api/auth/session'), { status: 200, body: /"user":null/ })
    t.same(await over('/'), { status: 200, body: appPage })
  }
)

t.test('nginx leads http to https, but lets certbot prove the host', async (t) => {
  const plain = (path: string) =>
    fetch(`http://127.0.0.1:${plainPort}${path}`, {
      redirect: 'manual',
      headers: { host: 'evil.example' }
    })
  const moved = await plain('/account?a=b')
  t.equal(moved.status, 301)
  t.equal(
    moved.headers.get('location'),
    `https://${host}/account?a=b`,
    'never to the host of the client'
  )
  t.equal((await plain('/.well-known/acme-challenge/none')).status, 404)
})

t.test(
  'nginx tells browsers to use https, also for the page of the app, and not its version',
  async (t) => {
    for (const path of ['/', '/api/auth/session', '/health']) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = {
          host: '127.0.0.1',
          port,
          path,
          ca: cert,
          servername: host,
          headers: { host }
        }
        request(options, (message) => resolve(message.resume()))
          .on('error', reject)
          .end()
      })
      t.equal(
        response.headers['strict-transport-security'],
        'max-age=63072000; includeSubDomains',
        path
      )
      t.equal(response.headers.server, 'nginx', path)
    }
  }
)

t.test(
  'nginx accepts only ciphers with forward secrecy and authenticated encryption',
  async (t) => {
    const handshake = async (ciphers: string) => {
      const options = { host: '127.0.0.1', port, ca: cert, servername: host, ciphers }
      const socket = connect({ ...options, maxVersion: 'TLSv1.2' })
      try {
        await once(socket, 'secureConnect')
        return { cipher: socket.getCipher().name, ticket: socket.getTLSTicket() }
      } catch {
        return undefined
      } finally {
        socket.destroy()
      }
    }
    t.same(await handshake('ECDHE-ECDSA-AES128-GCM-SHA256'), {
      cipher: 'ECDHE-ECDSA-AES128-GCM-SHA256',
      ticket: undefined
    })
    // Only the kinds that a certificate of this type can use.
    const weak = getCiphers().filter((name) => /^ecdhe-ecdsa-(?!.*(gcm|chacha))/.test(name))
    t.ok(weak.length > 0)
    for (const name of weak) t.equal(await handshake(name.toUpperCase()), undefined, name)
  }
)
