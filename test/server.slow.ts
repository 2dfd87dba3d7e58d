import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { cookieOf, password, temporaryFolder, testDatabaseUrl, until } from './helpers.ts'
import { freePort } from './postgres.ts'
import { post, startDevelopment as startServer } from './server-process.ts'
import type { ServerProcess as Server } from './server-process.ts'

const ready = (server: Server) => server.ready()
const me = async (server: Server, cookie: string) =>
  (await fetch(`${server.base}/api/auth/me`, { headers: { cookie } })).status

async function aSession(server: Server) {
  const account = { email: `${randomUUID()}@example.com`, password }
  /** A busy portal asks to try again. */
  const patiently = (url: string, body: object) =>
    until(async () => {
      const answer = await post(server, url, body)
      return answer.status === 503 ? undefined : answer
    })
  const registered = await patiently('/api/auth/register', { ...account, name: 'Ada' })
  if (registered.status !== 201) throw new Error(`register answered ${registered.status}`)
  const response = await patiently('/api/auth/login', account)
  return cookieOf({
    statusCode: response.status,
    headers: { 'set-cookie': response.headers.getSetCookie() }
  })
}

t.test('sessions and logouts survive a restart and a kill -9', async (t) => {
  const cwd = temporaryFolder(t)
  const env = {
    DATABASE_URL: await testDatabaseUrl(t),
    BCRYPT_COST: '10',
    PORT: String(await freePort())
  } // the port is part of the origin, which tokens name
  const first = await ready(await startServer(t, env, cwd))
  const [kept, left] = [await aSession(first), await aSession(first)]
  t.equal((await post(first, '/api/auth/logout', undefined, left)).status, 204)
  first.process.kill('SIGTERM')
  t.equal(await first.exit, 0)

  const second = await ready(await startServer(t, env, cwd))
  t.equal(await me(second, kept), 200)
  t.equal(await me(second, left), 401)
  const late = await aSession(second)
  second.process.kill('SIGKILL')
  t.equal(await second.exit, 'SIGKILL')

  const third = await ready(await startServer(t, env, cwd))
  t.equal(await me(third, kept), 200)
  t.equal(await me(third, late), 200)
  t.equal(await me(third, left), 401)
})

t.test(
  'the first start in development prints all addresses and creates an administrator',
  async (t) => {
    const cwd = temporaryFolder(t)
    const env = { DATABASE_URL: await testDatabaseUrl(t), BCRYPT_COST: '10' }
    const server = await ready(await startServer(t, env, cwd))
    await until(() => /Password +in .+\n/.test(server.output()))
    t.match(
      server.output(),
      /API +http:\/\/localhost:\d+\n +Console +http:\/\/localhost:\d+\/console\n +Account +http:\/\/localhost:\d+\/account\n +Docs +http:\/\/localhost:\d+\/docs\n +Mail +http:\/\/localhost:\d+\/mail\n +Health +http:\/\/localhost:\d+\/health\n +Database +P/
    )
    t.match(server.output(), /Admin +admin@portal\.localhost/)
    const file = path.resolve(cwd, /Password +in (.+)/.exec(server.output())?.[1] ?? '')
    const adminPassword = readFileSync(file, 'utf8').trim()
    t.equal(statSync(file).mode & 0o777, 0o600)
    t.equal(statSync(path.join(cwd, '.data/secret-keys')).mode & 0o777, 0o600)
    t.notOk(
      server.output().includes(adminPassword),
      'the password is not written where output is collected'
    )
    const login = await post(server, '/api/auth/login', {
      email: 'admin@portal.localhost',
      password: adminPassword
    })
    t.match(await login.json(), { user: { roles: ['admin', 'user'] } })

    server.process.kill('SIGTERM')
    await server.exit
    const again = await ready(await startServer(t, env, cwd))
    await until(() => /Password +in .+\n/.test(again.output()))
    t.match(
      again.output(),
      /Admin +admin@portal\.localhost\n +Password +in .+, unless it was changed since\n/
    )
    t.notOk(again.output().includes(adminPassword))
  }
)

t.test(
  'every link of the banner works, whatever address a development server listens on',
  async (t) => {
    for (const HOST of ['127.0.0.2', '0.0.0.0']) {
      const server = await startServer(t, {
        DATABASE_URL: await testDatabaseUrl(t),
        BCRYPT_COST: '10',
        HOST,
        ALLOWED_HOSTS: ''
      })
      await until(() => server.output().includes('Database'))
      const links = [
        ...server.output().matchAll(/(?:API|Network|Console|Account|Docs|Health) +(http:\S+)/g)
      ].map(([, link = '']) => link)
      t.ok(links.length >= 5, HOST)
      for (const link of links) t.equal((await fetch(link)).status, 200, link)
    }
  }
)

t.test(
  'a development server logs a short line for each request, with the id in problem documents',
  async (t) => {
    const server = await ready(
      await startServer(t, {
        DATABASE_URL: await testDatabaseUrl(t),
        BCRYPT_COST: '10',
        LOG_LEVEL: 'debug'
      })
    )
    const refused = (await (await fetch(`${server.base}/api/auth/me`)).json()) as {
      instance: string
    }
    const id = refused.instance.replace('urn:uuid:', '')
    await fetch(`${server.base}/openapi.json`)
    await until(() => /\/openapi\.json 200 /.test(server.output()))
    const lines = server.output().split('\n')
    t.match(
      lines.find((line) => line.includes(id)),
      /INFO: GET \/api\/auth\/me 401 [\d.]+ ms [0-9a-f-]{36}$/
    )
    const read = lines.find((line) => line.includes('/openapi.json'))
    t.match(
      read,
      /DEBUG: GET \/openapi\.json 200 [\d.]+ ms [0-9a-f-]{36}$/,
      'successful reads are visible at level debug'
    )
    t.ok((read?.length ?? Infinity) <= 100)
    t.notMatch(server.output(), /127\.0\.0\.0|\{"/)
  }
)

t.test(
  'a repeated signal within a second, as Ctrl-C under npm sends it, is logged once',
  async (t) => {
    const server = await ready(
      await startServer(t, { DATABASE_URL: await testDatabaseUrl(t), BCRYPT_COST: '10' })
    )
    server.process.kill('SIGINT')
    server.process.kill('SIGTERM')
    t.equal(await server.exit, 0)
    t.equal(server.output().match(/shutting down/g)?.length, 1)
  }
)

t.test(
  'production logs JSON without secrets, has no admin API and no docs, and sets the strict cookie',
  async (t) => {
    const secret = randomBytes(32).toString('base64url')
    const env = {
      NODE_ENV: 'production',
      PUBLIC_ORIGIN: 'https://portal.example.com',
      HOST: '127.0.0.1',
      SECRET_KEYS: `k1:${secret}`,
      DATABASE_URL: await testDatabaseUrl(t),
      BCRYPT_COST: '10',
      SHUTDOWN_DELAY_SECONDS: '0'
    }
    const server = await ready(await startServer(t, env))
    const cookie = await aSession(server)
    t.match(cookie, /^__Host-portal_session=/)
    for (const url of ['/docs', '/api/admin', '/api/admin/users', '/api/%61dmin/users']) {
      t.equal((await fetch(server.base + url)).status, 404, url)
    }
    t.equal(
      (
        await fetch(`${server.base}/api/auth/me?canary=1`, {
          headers: { cookie, authorization: 'Bearer canary' }
        })
      ).status,
      200
    )
    const theme = await fetch(`${server.base}/api/user/theme?canary=1`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: '{"theme":"dark"}'
    })
    t.equal(theme.status, 200)
    server.process.kill('SIGINT')
    t.equal(await server.exit, 0)

    const lines = server
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    t.equal(
      lines.find((line) => line.path === '/api/auth/me'),
      undefined,
      'successful reads are logged at level debug'
    )
    const request = lines.find((line) => line.path === '/api/user/theme')
    t.match(request, {
      method: 'PUT',
      route: '/api/user/theme',
      status: 200,
      sessionId: String,
      userId: String,
      ip: '127.0.0.0',
      reqId: String,
      ms: Number
    })
    for (const canary of ['canary', secret, password, cookie.split('=')[1] ?? '', '@example.com']) {
      t.notOk(server.output().includes(canary))
    }
  }
)

t.test('on a signal readiness fails first, then requests in flight are answered', async (t) => {
  const server = await ready(
    await startServer(t, {
      DATABASE_URL: await testDatabaseUrl(t),
      BCRYPT_COST: '12',
      SHUTDOWN_DELAY_SECONDS: '5'
    })
  )
  const cookie = await aSession(server)
  server.process.kill('SIGTERM')
  await until(async () => (await fetch(`${server.base}/health`)).status === 503)
  t.same(await (await fetch(`${server.base}/health`)).json(), {
    status: 'unavailable',
    reason: 'draining'
  })
  t.equal(await me(server, cookie), 200, 'requests that still come are answered')
  t.equal(
    (await fetch(`${server.base}/health`)).headers.get('connection'),
    'close',
    'and their connections end with the answer'
  )
  const slow = post(server, '/api/auth/register', {
    email: `${randomUUID()}@example.com`,
    password,
    name: 'Ada'
  })
  t.equal((await slow).status, 201)
  t.equal(await server.exit, 0)
})
