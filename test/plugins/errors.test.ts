import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { errorCodes } from 'fastify'
import t from 'tap'
import { buildApp } from '../../src/app.ts'
import { toRefusal } from '../../src/http/problems.ts'
import { captureLog } from '../support/log-capture.ts'
import { aCaller, ownApp, testDatabase, until } from '../support/app.ts'
import { openSlow, portOf } from '../support/raw-requests.ts'
import { testConfig } from '../support/test-config.ts'

const app = await ownApp(t)

t.test('an unknown path is 404, with all headers of a response', async (t) => {
  const response = await app.inject('/api/nothing?secret=canary')
  t.equal(response.statusCode, 404)
  t.match(response.json(), {
    type: '/problems/not-found',
    code: 'not-found',
    instance: `urn:uuid:${String(response.headers['x-request-id'])}`
  })
  t.notMatch(response.body, /canary|nothing at \/api/)
  t.match(response.headers, {
    'content-security-policy':
      "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';object-src " +
      "'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store'
  })
  t.equal(Object.keys(app.pageHeaders).length, 6)
  for (const name of Object.keys(app.pageHeaders)) {
    t.equal(response.headers[name], undefined, `${name} has an effect on pages only`)
  }
  t.equal(response.headers['strict-transport-security'], undefined, 'not in development')
})

t.test('an unsupported method is 405 and lists the supported ones', async (t) => {
  const login = await app.inject({ method: 'DELETE', url: '/api/auth/login?x=1' })
  t.same(
    [login.statusCode, login.headers.allow, login.json().code],
    [405, 'POST', 'method-not-allowed']
  )
  const me = await app.inject({ method: 'PUT', url: '/api/auth/me' })
  t.same([me.statusCode, me.headers.allow], [405, 'GET, HEAD'])
})

t.test('a path that is malformed or too long is rejected with a problem document', async (t) => {
  for (const [url, status] of [
    ['/%zz', 400],
    ['/api/auth/%ff', 400]
  ] as const) {
    const response = await app.inject(url)
    t.equal(response.statusCode, status, url)
    t.match(response.json(), { code: 'malformed-request' })
    t.match(response.headers, {
      'x-request-id': /^[0-9a-f-]{36}$/,
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8'
    })
    t.notMatch(response.body, /%zz|%ff/)
  }
})

t.test('a request id sent by the client is ignored', async (t) => {
  const response = await app.inject({ url: '/health', headers: { 'x-request-id': 'forged' } })
  t.match(response.headers['x-request-id'], /^[0-9a-f-]{36}$/)
})

t.test('an unexpected error is logged and answered with internal-error only', async (t) => {
  const broken = buildApp(testConfig(), { database: await testDatabase(t) })
  t.teardown(() => broken.close())
  broken.register(async (scope) => {
    scope.get(
      '/broken',
      { config: { access: 'public' }, schema: { response: { 200: {} } } },
      async () => {
        throw new Error('canary in the machine room')
      }
    )
  })
  const response = await broken.inject('/broken')
  t.equal(response.statusCode, 500)
  const { instance, ...problem } = response.json()
  t.same(problem, {
    type: '/problems/internal-error',
    title: 'Something went wrong',
    status: 500,
    code: 'internal-error',
    detail:
      'The portal failed unexpectedly. Try again later. If it keeps failing, tell an ' +
      'administrator what you did and when.'
  })
})

const thrown = Object.entries(errorCodes).map(([name, FrameworkError]) => ({
  name,
  error: new FrameworkError()
}))
t.test(
  'a 4xx error of the framework keeps its status, and any other becomes 500 or 503',
  async (t) => {
    t.ok(thrown.length > 80)
    t.ok(
      thrown.filter(({ error }) => error.statusCode !== undefined && error.statusCode < 500)
        .length > 10
    )
    for (const { name, error } of thrown) {
      const { statusCode, code, message } = toRefusal(error)
      t.equal(statusCode, error.statusCode, name)
      t.match(code, /^[a-z-]+$/, name)
      t.notMatch(message, error.message, `${name} is not answered in the words of the library`)
    }
  }
)

t.test(
  'a 4xx error of a plugin keeps its status, and a 5xx error becomes internal-error',
  async (t) => {
    const withStatus = (statusCode: unknown) =>
      toRefusal(Object.assign(new Error('canary'), { statusCode }))
    for (const status of [400, 403, 404, 405, 413, 414, 415, 416, 499]) {
      t.equal(withStatus(status).statusCode, status)
      t.notMatch(withStatus(status).message, 'canary')
    }
    for (const status of [500, 502, 302, 200, NaN, '404', null]) {
      t.match(withStatus(status), { statusCode: 500, code: 'internal-error' })
    }
  }
)

t.test(
  'QUERY without a content type is 400 on every path, not a failure of the portal',
  async (t) => {
    for (const url of [
      '/',
      '/health',
      '/api/auth/login',
      '/api/auth/me',
      '/api/admin/users',
      '/nothing'
    ]) {
      const response = await app.inject({ method: 'QUERY' as 'GET', url })
      t.equal(response.statusCode, 400, url)
      t.match(response.headers['content-type'], 'application/problem+json')
      t.match(response.json(), {
        code: 'malformed-request',
        instance: `urn:uuid:${String(response.headers['x-request-id'])}`
      })
    }
    const typed = await app.inject({
      method: 'QUERY' as 'GET',
      url: '/health',
      headers: { 'content-type': 'application/json' },
      payload: '{}'
    })
    t.same([typed.statusCode, typed.headers.allow], [405, 'GET, HEAD'])
  }
)

t.test(
  'a change that always meets a serialization failure is retried, then 503, and changes nothing',
  async (t) => {
    const app = await ownApp(t)
    const { call } = await aCaller(app)
    const { name } = (await call('GET', '/api/auth/me')).json().user
    await app.db.execute(sql`create sequence tries`)
    await app.db.execute(
      sql.raw(`create function refuse() returns trigger language plpgsql as $$
    begin perform nextval('tries'); raise exception 'could not serialize access' using errcode = 'serialization_failure'; end $$`)
    )
    await app.db.execute(
      sql`create trigger refuse before update on users for each row execute function refuse()`
    )
    const answer = await call('PUT', '/api/user/name', { name: 'Another' })
    t.match(answer, { statusCode: 503, headers: { 'retry-after': '1' } })
    t.equal(answer.json().code, 'overloaded')
    const tries = Number(
      /"last_value":"?(\d+)/.exec(
        JSON.stringify(await app.db.execute(sql`select last_value from tries`))
      )?.[1]
    )
    t.ok(tries > 3 && tries <= 12, `${tries} tries`)
    t.equal((await call('GET', '/api/auth/me')).json().user.name, name)
  }
)

t.test('a request that Node cannot parse gets a problem document', async (t) => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const raw = (message: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(message))
      let answer = ''
      socket
        .on('data', (chunk) => {
          answer += chunk
        })
        .on('end', () => resolve(answer))
        .on('error', reject)
    })
  const malformed = await raw('GET / HTTP/1.1\r\nbad header\r\n\r\n')
  t.match(malformed, /^HTTP\/1\.1 400 /)
  t.match(malformed, /content-type: application\/problem\+json; charset=utf-8/)
  t.match(malformed, /cache-control: no-store/)
  t.match(JSON.parse(malformed.split('\r\n\r\n')[1] ?? ''), {
    code: 'malformed-request',
    status: 400
  })
  const large = await raw(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)
  t.match(large, /^HTTP\/1\.1 431 /)
  t.match(JSON.parse(large.split('\r\n\r\n')[1] ?? ''), { code: 'headers-too-large' })
})

t.test(
  'a client that disconnects during its body does not count as an unavailable database',
  async (t) => {
    const { log, output } = captureLog()
    const app = buildApp(testConfig(), { database: await testDatabase(t), logger: log })
    const errors: Error[] = []
    app.addHook('onError', async (_request, _reply, error) => {
      errors.push(error)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { socket, received } = openSlow(
      portOf(app),
      [
        'POST /api/auth/register HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        'Content-Length: 3000',
        'Expect: 100-continue',
        '',
        ''
      ].join('\r\n')
    )
    await until(() => received().startsWith('HTTP/1.1 100'))
    socket.destroy()
    await until(() => errors.length > 0)
    await app.close()
    t.match(errors, [{ code: 'ECONNRESET' }])
    t.equal(toRefusal(errors[0]).statusCode, 400)
    t.notMatch(output(), /database-unavailable|request failed/)
  }
)
