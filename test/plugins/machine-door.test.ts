import { existsSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import t from 'tap'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { randomText } from '../../src/domain/crypto.ts'
import { aCaller, ownApp, temporaryFolder, testDatabase } from '../support/app.ts'
import { aMachine } from '../support/keys.ts'
import { freePort } from '../support/postgres.ts'
import { testConfig } from '../support/test-config.ts'

/** Sends a request to a Unix socket or a port. */
const ask = (where: { socketPath: string } | { port: number }, url: string, headers = {}) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const options = { ...where, path: url, headers: { host: 'localhost', ...headers } }
    request(options, (response) => {
      let body = ''
      response.on('data', (part) => (body += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })

t.test(
  'with a door of their own, commands are 404 elsewhere and not in the document',
  async (t) => {
    const socketPath = path.join(temporaryFolder(t), 'machine.sock')
    const app = await ownApp(t, { MACHINE_ADMIN: 'on', MACHINE_LISTEN: socketPath })
    const machine = await aMachine(app, 'roles:read')
    const never = await machine.call('GET', '/api/machine/never')
    const strip = (text: string) => text.replace(/urn:uuid:[^"]*/, '')
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      for (const url of ['/api/machine/roles', '/api/machine/users', '/api/machine/activity']) {
        const response = await machine.call(method, url)
        t.equal(response.statusCode, 404, `${method} ${url}`)
        t.equal(response.headers.allow, undefined)
        if (method !== 'HEAD') t.equal(strip(response.body), strip(never.body))
      }
    }
    t.notMatch((await app.inject('/openapi.json')).body, /api\/machine\/(users"|roles|activity)/)

    const headers = { authorization: `Bearer ${machine.secret}` }
    const list = await ask({ socketPath }, '/api/machine/roles', headers)
    t.equal(list.status, 200, list.body)
    const me = await ask({ socketPath }, '/api/machine/me', headers)
    t.match(JSON.parse(me.body), { permissions: ['roles:read'] }, 'other routes are there as well')
    t.equal((await machine.call('GET', '/api/machine/me')).statusCode, 200)
  }
)

t.test('at the door, sessions and missing permissions are refused as elsewhere', async (t) => {
  const port = await freePort()
  const MACHINE_LISTEN = String(port)
  const TRUST_PROXY = ['10.0.0.0/8']
  const app = await ownApp(t, { MACHINE_ADMIN: 'on', MACHINE_LISTEN, TRUST_PROXY })
  const { cookie } = await aCaller(app, 'admin')
  const at = { port }
  t.equal((await ask(at, '/api/machine/roles', { cookie })).status, 401)
  const machine = await aMachine(app, 'users:read')
  const headers = { authorization: `Bearer ${machine.secret}` }
  const denied = await ask(at, '/api/machine/roles', headers)
  t.same([denied.status, JSON.parse(denied.body).code], [403, 'permission-denied'])
  t.equal((await ask(at, '/api/machine/roles', { ...headers, host: 'evil.example' })).status, 421)
})

t.test('a socket that was left is replaced, and closing ends requests in flight', async (t) => {
  const socketPath = path.join(temporaryFolder(t), 'machine.sock')
  const changes = { MACHINE_ADMIN: 'on', MACHINE_LISTEN: socketPath } as const
  const left = await ownApp(t, changes)
  const app = await ownApp(t, changes)
  t.equal((await ask({ socketPath }, '/health/live')).status, 200)
  await left.close()
  t.equal((await ask({ socketPath }, '/health/live')).status, 200, 'the newest has it')
  t.ok(existsSync(socketPath))
  await app.close()
  await t.rejects(ask({ socketPath }, '/health/live'), { code: 'ECONNREFUSED' })
})

t.test('a port that another process has stops the start', async (t) => {
  const port = String(await freePort())
  await ownApp(t, { MACHINE_ADMIN: 'on', MACHINE_LISTEN: port })
  const second = buildApp(testConfig({ MACHINE_ADMIN: 'on', MACHINE_LISTEN: port }), {
    database: await testDatabase(t)
  })
  t.teardown(() => second.close())
  await t.rejects(async () => second.ready(), /MACHINE_LISTEN cannot be used \(EADDRINUSE\)/)
})

t.test('MACHINE_LISTEN is a port or a path, of commands that are switched on', async (t) => {
  const given = {
    ...{ NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://portal.example.com' },
    ...{ DATABASE_URL: 'postgres://localhost/x', SECRET_KEYS: `k:${randomText()}` },
    ...{ MACHINE_ADMIN: 'on', METRICS_PORT: '9464' }
  }
  for (const place of ['8081', '65535', '/run/portal/machine.sock']) {
    t.equal(loadConfig({ ...given, MACHINE_LISTEN: place }).MACHINE_LISTEN, place)
  }
  for (const [place, more, message] of [
    ['65536', {}, 'MACHINE_LISTEN is not valid'],
    ['0', {}, 'MACHINE_LISTEN is not valid'],
    ['machine.sock', {}, 'MACHINE_LISTEN is not valid'],
    [`/${'x'.repeat(91)}`, {}, 'MACHINE_LISTEN is not valid'],
    ['3000', {}, 'MACHINE_LISTEN must be neither PORT nor METRICS_PORT'],
    ['9464', {}, 'MACHINE_LISTEN must be neither PORT nor METRICS_PORT'],
    ['8081', { MACHINE_ADMIN: 'off' }, 'MACHINE_LISTEN needs MACHINE_ADMIN=on']
  ] as const) {
    t.throws(() => loadConfig({ ...given, ...more, MACHINE_LISTEN: place }), new RegExp(message))
  }
})
