// Also on PGlite.
// Takes about 55 s, so it begins early.

import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { cookieOf, password, temporaryFolder, testDatabaseUrl, until } from './support/app.ts'
import { freePort } from './support/postgres.ts'
import { post, startDevelopment as startServer } from './support/server-process.ts'
import type { ServerProcess as Server } from './support/server-process.ts'

const ready = (server: Server) => server.ready()
const me = async (server: Server, cookie: string) =>
  (await fetch(`${server.base}/api/auth/me`, { headers: { cookie } })).status

async function aSession(server: Server) {
  const account = { email: `${randomUUID()}@example.com`, password }
  /** A busy portal asks to try again. */
  const postWhenReady = (url: string, body: object) =>
    until(async () => {
      const answer = await post(server, url, body)
      return answer.status === 503 ? undefined : answer
    })
  const registered = await postWhenReady('/api/auth/register', { ...account, name: 'Ada' })
  if (registered.status !== 201) throw new Error(`register answered ${registered.status}`)
  const response = await postWhenReady('/api/auth/login', account)
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

t.test('SIGHUP drains as SIGTERM does', async (t) => {
  const server = await ready(
    await startServer(t, { DATABASE_URL: await testDatabaseUrl(t), BCRYPT_COST: '10' })
  )
  server.process.kill('SIGHUP')
  t.equal(await server.exit, 0)
  t.match(server.output(), /shutting down .*SIGHUP/)
})

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
