import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import path from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { eq } from 'drizzle-orm'
import t from 'tap'
import type { Test } from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { users } from '../../../db/schema/users.ts'
import { syncRegistry } from '../../../src/domain/access/registry.ts'
import { portal, portalProcess } from '../../cli/run.ts'
import { aCaller, freshEmail, onPglite, ownApp, password, until } from '../../support/app.ts'
import { captureLog } from '../../support/log-capture.ts'
import { clean, postgresTool, runPostgres, startPostgres } from '../../support/postgres.ts'
import { withoutSlack } from '../../support/slack.ts'
import { noLimitsByAddress } from '../../support/test-config.ts'
import { publicFolder } from '../../resilience/instances.ts'

/** A server of its own, and functions that make a certificate and start it again. */
async function aServer(t: Test) {
  const folder = path.join(publicFolder(t), 'postgres')
  const data = path.join(folder, 'data')
  const { port } = new URL(await startPostgres(folder))
  t.teardown(() => clean(folder))
  const [certificate, key] = [path.join(data, 'server.crt'), path.join(data, 'server.key')]
  const certify = (name: string) => {
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
    const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${name}`]
    const files = ['-nodes', '-days', '2', '-keyout', key, '-out', certificate]
    execFileSync('openssl', [...kind, ...subject, ...files], { stdio: 'ignore' })
    const { uid, gid } = statSync(data)
    for (const file of [certificate, key]) chownSync(file, uid, gid)
    chmodSync(key, 0o600)
  }
  const restart = async (ssl: 'on' | 'off') => {
    await postgresTool(folder, 'pg_ctl', '--pgdata', data, '--mode', 'fast', '--wait', 'stop')
    await runPostgres(folder, Number(port), ['fsync=off', `ssl=${ssl}`])
  }
  return { port, certificate, key, certify, restart }
}

t.test(
  'sslmode=verify-full compares the certificate with the host of the URL, a name or an address',
  {
    skip: onPglite && 'it has no network'
  },
  async (t) => {
    const { port, certificate, certify, restart } = await aServer(t)
    const serveFor = async (name: string) => {
      certify(name)
      await restart('on')
    }
    const reached = async (host: string, sslmode = 'verify-full') => {
      const { stdout } = await portalProcess(['doctor', '--json'], {
        env: {
          DATABASE_URL: `postgres://portal@${host}:${port}/postgres?sslmode=${sslmode}`,
          NODE_EXTRA_CA_CERTS: certificate
        }
      })
      return (JSON.parse(stdout) as { check: string; result: string; finding: string }[]).find(
        ({ check }) => check === 'database'
      )
    }
    const refused = { result: 'problem', finding: /certificate/ }

    await serveFor('IP:127.0.0.1')
    t.match(await reached('127.0.0.1'), { result: 'ok' })
    t.match(await reached('localhost'), refused)
    await serveFor('DNS:localhost')
    t.match(await reached('localhost'), { result: 'ok' })
    t.match(await reached('127.0.0.1'), refused)
    t.match(await reached('127.0.0.1', 'require'), { result: 'ok' }, 'encrypted, not verified')
    t.match(await reached('localhost', 'verify-full&sslnegotiation=direct'), { result: 'ok' })
  }
)

t.test(
  'without the TLS that it had, the server is named, and every request is refused and nothing stored',
  { skip: onPglite && 'it has no network' },
  async (t) => {
    const { port, certify, restart } = await aServer(t)
    certify('IP:127.0.0.1')
    await restart('on')
    const DATABASE_URL = `postgres://portal@127.0.0.1:${port}/postgres?sslmode=require`
    const database = await openDatabase(DATABASE_URL)
    await database.migrate(syncRegistry)
    const { log, output } = captureLog()
    const app = await ownApp(t, noLimitsByAddress, database, log)
    const { call, user } = await aCaller(app)
    await restart('off')
    const email = freshEmail()
    const requests: [method: 'GET' | 'POST' | 'PUT', url: string, body?: object][] = [
      ['GET', '/api/auth/me'],
      ['GET', '/api/user/sessions'],
      ['POST', '/api/auth/login', { email: user.email, password }],
      ['POST', '/api/auth/register', { email, password, name: 'Nobody' }],
      ['PUT', '/api/user/name', { name: 'Not stored' }]
    ]
    for (const [method, url, body] of requests) {
      const since = performance.now()
      const response = await call(method, url, body)
      t.ok(performance.now() - since < 15_000, url)
      t.match(response.json(), { status: 503, code: 'database-unavailable' }, url)
      t.ok(response.headers['retry-after'], url)
    }
    t.match(output(), '"cause":"tls-refused"')
    const { stdout } = await portal(['doctor', '--json'], { env: { DATABASE_URL } })
    const found = JSON.parse(stdout) as { check: string; result: string; finding: string }[]
    t.match(
      found.find(({ check }) => check === 'database'),
      { result: 'problem', finding: /^cannot be used: it has no TLS/ }
    )
    const plain = await openDatabase(DATABASE_URL.replace('require', 'prefer'))
    t.teardown(() => plain.close())
    t.equal(await plain.db.$count(users, eq(users.email, user.email)), 1, 'prefer goes without')
    await restart('on')
    await until(async () => (await call('GET', '/api/auth/me')).statusCode === 200)
    t.match((await call('GET', '/api/auth/me')).json(), { user: { name: 'Ada Lovelace' } })
    t.equal(await app.db.$count(users, eq(users.email, email)), 0)
  }
)

t.test(
  'connections to a server that falls silent after TLS has begun are given up, and the process goes on',
  { skip: onPglite && 'it has no network' },
  async (t) => {
    withoutSlack(t)
    const { certificate, key, certify } = await aServer(t)
    certify('IP:127.0.0.1')
    const secureContext = createSecureContext({
      cert: readFileSync(certificate),
      key: readFileSync(key)
    })
    const sockets: Socket[] = []
    const silent = createServer((socket) => {
      sockets.push(socket.on('error', () => {}))
      socket.once('data', () => {
        socket.write('S')
        const secured = new TLSSocket(socket, { isServer: true, secureContext })
        secured.on('error', () => {}).resume()
      })
    })
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const { port } = silent.address() as AddressInfo
    const databases = await Promise.all(
      Array.from({ length: 20 }, () =>
        openDatabase(`postgres://portal@127.0.0.1:${port}/postgres?sslmode=require`)
      )
    )
    t.teardown(async () => {
      for (const socket of sockets) socket.destroy()
      silent.close()
      await Promise.all(databases.map((database) => database.close()))
    })
    // Work between the timers makes others due: a connection is destroyed and its client ended in one
    // turn of the event loop.
    const work = (error: unknown) => {
      const end = performance.now() + 2
      while (performance.now() < end);
      throw error
    }
    const queries = databases.flatMap((database) =>
      Array.from({ length: 10 }, () => database.db.execute('select 1').catch(work))
    )
    const outcomes = await Promise.allSettled(queries)
    t.ok(sockets.length >= databases.length, 'they have connected')
    t.ok(outcomes.every(({ status }) => status === 'rejected'))
    t.match(outcomes[0], { reason: { cause: { name: 'DatabaseTimeout' } } })
  }
)

t.test('bytes that follow the reply to the request for TLS are refused', async (t) => {
  let received = 0
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', ({ length }) => {
        received += length
      })
    socket.write('Sx')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const database = await openDatabase(`postgres://portal@127.0.0.1:${port}/x?sslmode=require`)
  t.teardown(async () => {
    await database.close()
    server.close()
  })
  await t.rejects(database.db.execute('select 1'), { cause: { name: 'ConnectionLost' } })
  t.ok(received <= 8, 'no more than the request was sent')
})
