import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { jobs } from '../../db/schema/jobs.ts'
import { outbox } from '../../db/schema/outbox.ts'
import { documentOf } from '../../src/document.ts'
import { createSealing } from '../../src/domain/sealing.ts'
import { enqueue } from '../../src/domain/outbox/enqueue.ts'
import { aMail } from '../domain/outbox/parts.ts'
import { startMailServer } from '../mail/server.ts'
import { testDatabaseUrl, until } from '../support/app.ts'
import { connectTo, serverVariables, startConsole } from '../support/console-process.ts'
import { freePort } from '../support/postgres.ts'
import { startServer } from '../support/server-process.ts'
import { visitor } from './run.ts'
import { aServerRole } from './server-role.ts'

const isRoot = process.getuid?.() === 0
const noOtherUser = isRoot ? false : 'needs root, to become another user'

/** Returns the output of Node as the user `nobody`. */
const asNobody = (script: string, ...args: string[]) =>
  execFileSync(
    'setpriv',
    ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '-e', script, ...args],
    { encoding: 'utf8', cwd: '/' }
  ).trim()

const tryToConnect = `require('node:net').connect(process.argv[1])
  .on('connect', () => { console.log('connected'); process.exit() })
  .on('error', ({ code }) => console.log(code))`

/** The TCP addresses on which a process listens. */
const listening = (pid: number | undefined) =>
  execFileSync('ss', ['-ltnpH'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`pid=${pid},`))
    .map((line) => line.trim().split(/\s+/)[3])

// For the last test, whose minute passes during the others.
const idle = await startConsole(t, ['--idle', '1'], serverVariables(await testDatabaseUrl(t)))
const knocking = setInterval(() => {
  fetch(`${new URL(idle.link()).origin}/api/admin/users`).catch(() => {})
}, 1000)
t.teardown(() => clearInterval(knocking))

t.test('it listens on loopback only, or on no port at all', async (t) => {
  const env = {
    ...serverVariables(await testDatabaseUrl(t)),
    HOST: '0.0.0.0',
    PORT: '1',
    METRICS_PORT: String(await freePort())
  }
  const port = await freePort()
  const onPort = await startConsole(t, ['--port', String(port)], env)
  t.same(listening(onPort.child.pid), [`127.0.0.1:${port}`])
  const onSocket = await startConsole(t, ['--socket'], env)
  t.same(listening(onSocket.child.pid), [])
  t.equal((await (await connectTo(onSocket))('GET', '/api/admin/users')).status, 200)

  const taken = startConsole(t, ['--port', String(port)], env)
  await t.rejects(taken, { message: new RegExp(`Another process uses port ${port}`) })
})

t.test(
  'another user of the machine cannot open the socket, and gets no data from the port',
  { skip: noOtherUser },
  async (t) => {
    const env = serverVariables(await testDatabaseUrl(t))
    const onSocket = await startConsole(t, ['--socket'], env)
    const socket = onSocket.socket() ?? ''
    t.equal(asNobody(tryToConnect, socket), 'EACCES')
    t.equal(statSync(path.dirname(socket)).mode & 0o777, 0o700, 'nobody else enters its folder')
    const onPort = await startConsole(t, [], env)
    await connectTo(onPort)
    const ask = `fetch(process.argv[1]).then(({ status }) => console.log(status))`
    const { origin } = new URL(onPort.link())
    t.equal(asNobody(ask, `${origin}/console`), '200', 'the page')
    t.equal(asNobody(ask, `${origin}/api/admin/users`), '401')
  }
)

t.test('it delivers no mail and deletes no rows, which a server does at once', async (t) => {
  const mailServer = await startMailServer(t)
  const url = await testDatabaseUrl(t)
  const env = {
    ...serverVariables(url),
    MAIL_URL: mailServer.url,
    MAIL_FROM: 'portal@example.com',
    ACCOUNT_URL: 'https://portal.example.com/account'
  }
  const visit = visitor(url)
  const secret = Buffer.from(env.SECRET_KEYS.replace('k1:', ''), 'base64url')
  const sealing = createSealing([{ kid: 'k1', secret }])
  await visit(async ({ db }) => {
    await db.delete(jobs)
    await db.transaction((tx) =>
      enqueue(tx, sealing, {
        kind: 'recovery',
        payload: aMail('ada@example.com'),
        expiresIn: 3600
      })
    )
    await db.insert(activity).values({
      id: '00000000-0000-7000-8000-000000000001',
      at: sql`now() - interval '2 years'`,
      action: 'auth.logout',
      outcome: 'success',
      actorType: 'system',
      source: 'job'
    })
  })
  const isOld = sql`at < now() - interval '1 year'`
  const state = () =>
    visit(async ({ db }) => ({
      mails: (await db.select().from(outbox)).map((row) => row.state),
      old: (await db.select().from(activity).where(isOld)).length,
      jobs: (await db.select().from(jobs)).length
    }))
  const untouched = await state()
  t.match(untouched, { mails: ['pending'], old: 1 })
  const running = await startConsole(t, ['--write'], env)
  const call = await connectTo(running)
  t.equal((await call('GET', '/api/admin/outbox')).body.items.length, 1)
  await sleep(3000) // a worker looks every second
  t.same(await state(), untouched)

  const server = await startServer(t, { ...env, HOST: '127.0.0.1', LOG_LEVEL: 'warn' })
  await until(async () => {
    const { mails, old } = await state()
    return old === 0 && !mails.includes('pending')
  })
  server.process.kill('SIGKILL')
})

t.test('a server in production has none of its addresses, encoded or not', async (t) => {
  const env = serverVariables(await testDatabaseUrl(t))
  const running = await startConsole(t, [], env)
  const call = await connectTo(running)
  const page = String((await call('GET', '/console')).body)
  const files = [...page.matchAll(/(?:href|src)="(\/console\/assets[^"]+)"/g)].map(
    ([, file = '']) => file
  )
  t.ok(files.length > 0)
  const own = Object.keys(JSON.parse(await documentOf('console')).paths)
    .filter((url) => !url.startsWith('/api/auth/'))
    .map((url) => url.replace(/\{\w+\}/g, 'x'))
  const server = await startServer(t, { ...env, HOST: '127.0.0.1', LOG_LEVEL: 'warn' })
  await server.ready()
  const base = server.base
  const headers = { host: 'portal.example.com' }
  const spellings = (url: string) => [
    url,
    url.replace('console', '%63onsole').replace('admin', '%61dmin'),
    `${url}/`,
    url.toUpperCase()
  ]
  const { request } = await import('node:http')
  const statusOf = (method: string, url: string) =>
    new Promise<number>((resolve, reject) => {
      request(base + url, { method, headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
  t.equal(await statusOf('GET', '/api/auth/options'), 200, 'it serves others')
  const methods = ['GET', 'POST', 'DELETE']
  const wrong = []
  for (const [n, url] of ['/console', '/console/users', ...files, ...own].entries()) {
    const requests = [
      ['GET', url],
      [methods[n % methods.length] ?? 'GET', spellings(url)[n % 4] ?? url]
    ] as const
    for (const [method, spelling] of requests) {
      const status = await statusOf(method, spelling)
      if (status !== 404) wrong.push(`${method} ${spelling} answers ${status}`)
    }
  }
  t.same(wrong, [])
})

t.test('a database role that only reads is enough to look, and not for --write', async (t) => {
  const url = await testDatabaseUrl(t)
  const env = serverVariables(await aServerRole(t, url, sql`all tables in schema public, drizzle`))
  const running = await startConsole(t, [], env)
  t.match(running.output(), /Not recorded in the activity: the role of DATABASE_URL may not write/)
  const call = await connectTo(running)
  for (const url of [
    'users',
    'roles',
    'permissions',
    'flags',
    'sessions',
    'activity',
    'overview'
  ]) {
    t.equal((await call('GET', `/api/admin/${url}`)).status, 200, url)
  }
  await t.rejects(startConsole(t, ['--write'], env), {
    message: /may not write to this database. Leave --write out/
  })
  running.child.kill('SIGINT')
  t.equal(await running.exit, 0)
})

t.test(
  'over SSH it prints the tunnel, with sudo it names the person, and no list of processes has the link',
  async (t) => {
    const env = serverVariables(await testDatabaseUrl(t))
    const running = await startConsole(t, ['--port', String(await freePort())], {
      ...env,
      SSH_CONNECTION: '203.0.113.9 50000 203.0.113.7 2222',
      SUDO_USER: 'ada'
    })
    const { port } = new URL(running.link())
    t.match(running.output(), `ssh -N -L ${port}:127.0.0.1:${port} -p 2222 ada@203.0.113.7`)
    const call = await connectTo(running)
    const { body } = await call('GET', '/api/console/session')
    const user = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()
    t.equal(body.operator, `${user} (ada)`)

    const secret = new URL(running.link()).hash.replace('#start=', '')
    t.notMatch(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }), secret)
    t.notOk(
      execFileSync('cat', [path.join('/proc', String(running.child.pid), 'environ')], {
        encoding: 'utf8'
      }).includes(secret)
    )
  }
)

t.test('it ends after the idle time, and a stranger does not keep it alive', async (t) => {
  t.equal(await idle.exit, 0)
  clearInterval(knocking)
  t.match(idle.output(), /The console ends: no request for 1 minute\./)
})
