import t from 'tap'
import { aCaller, aRole } from '../support/app.ts'
import { portalWith } from '../support/app-folder.ts'
import { aService, aServiceKey } from '../support/keys.ts'
import { captureLog } from '../support/log-capture.ts'
import { freePort } from '../support/postgres.ts'

/** A file of routes. */
const routes = (...lines: string[]) => `export default async (app) => {\n${lines.join('\n')}\n}\n`
const anything = 'response: { 200: {} }'
const fp = "import fp from 'fastify-plugin'\n"

t.test('a route of the app is judged by its policy, like those of the portal', async (t) => {
  const app = await portalWith(t, {
    'routes/orders.js': routes(
      `app.get('/open', { config: { access: 'public' }, schema: { ${anything} } }, async () => ({}))`,
      `app.get('/signed-in', { config: { access: 'session' }, schema: { ${anything} } }, async (request) => ({ id: request.user.id }))`,
      `app.get('/flags', { config: { access: { permission: 'flags:read' } }, schema: { ${anything} } }, async () => ({}))`
    ),
    'routes/machine/orders.js': routes(
      `app.get('/orders', { config: { access: { key: 'flags:read' } }, schema: { ${anything} } }, async () => ({}))`
    )
  })
  const { user, call } = await aCaller(app)
  const reader = await aCaller(app, await aRole(app.database, 'flags:read'))
  t.equal((await app.inject('/api/open')).statusCode, 200)
  t.match((await app.inject('/api/signed-in')).json(), { status: 401, code: 'unauthenticated' })
  t.same((await call('GET', '/api/signed-in')).json(), { id: user.id })
  t.match((await call('GET', '/api/flags')).json(), { status: 403, code: 'permission-denied' })
  t.equal((await reader.call('GET', '/api/flags')).statusCode, 200)
  t.equal((await reader.call('GET', '/api/machine/orders')).statusCode, 401)
  const service = await aService(app.database, await aRole(app.database, 'flags:read'))
  const { secret } = await aServiceKey(app.database, service)
  const authorization = `Bearer ${secret}`
  t.equal(
    (await app.inject({ url: '/api/machine/orders', headers: { authorization } })).statusCode,
    200
  )
})

t.test('a policy cannot be changed after its route is declared', async (t) => {
  const app = await portalWith(t, {
    'routes/orders.js': routes(
      "const config = { access: 'session' }",
      `app.get('/orders', { config, schema: { ${anything} } }, async () => ({}))`,
      "config.access = 'public'"
    )
  })
  t.equal((await app.inject('/api/orders')).statusCode, 401)
})

t.test(
  'a hook of the app runs after the access check, and on no route of the portal',
  async (t) => {
    const app = await portalWith(t, {
      'plugins/hook.js':
        `${fp}export default fp(async (app) => {\n` +
        "app.addHook('onRequest', async (request, reply) => {\n" +
        "reply.header('x-hook', request.principal?.user.id ?? 'nobody')\n" +
        'if (request.query.stop) return reply.send({ stopped: true })\n})\n' +
        "app.addHook('onRequest', (request, reply, done) => {\nreply.header('x-second', '1')\ndone()\n})\n})\n",
      'routes/orders.js': routes(
        `app.get('/orders', { config: { access: 'session' }, schema: { ${anything} } }, async () => ({ reached: true }))`
      )
    })
    const { user, call } = await aCaller(app)
    const anonymous = await app.inject('/api/orders?stop=1')
    t.equal(anonymous.statusCode, 401)
    t.equal(anonymous.headers['x-hook'], undefined)
    const reached = await call('GET', '/api/orders')
    t.same(reached.json(), { reached: true })
    t.match(reached.headers, { 'x-hook': user.id, 'x-second': '1' })
    t.same((await call('GET', '/api/orders?stop=1')).json(), { stopped: true })
    t.equal((await call('GET', '/api/auth/me')).headers['x-hook'], undefined)
  }
)

t.test(
  'request.user in a public route is an error that names the way out, and the file',
  async (t) => {
    const { log, output } = captureLog()
    const app = await portalWith(
      t,
      {
        'routes/orders.js': routes(
          `app.get('/orders', { config: { access: 'public' }, schema: { ${anything} } }, async (request) => {`,
          'return { id: request.user.id }',
          '})'
        )
      },
      {},
      log
    )
    t.match((await app.inject('/api/orders')).json(), { status: 500, code: 'internal-error' })
    const line =
      output()
        .split('\n')
        .find((each) => each.includes('request failed')) ?? ''
    t.match(line, /nobody is signed in.*set config\.access to 'session'.*request\.principal/)
    t.match(line, /routes\/orders\.js:3:/)
  }
)

t.test('a schema that lets unknown properties pass is logged with its place', async (t) => {
  const { log, output } = captureLog()
  await portalWith(
    t,
    {
      'routes/orders.js': routes(
        "const item = { type: 'object', properties: { id: { type: 'string' } } }",
        "const closed = { type: 'object', properties: {}, additionalProperties: false }",
        "const body = { ...closed, properties: { items: { type: 'array', items: item } } }",
        `app.post('/orders', { config: { access: 'public' }, schema: { body, ${anything} } }, async () => ({}))`,
        `app.put('/orders', { config: { access: 'public' }, schema: { body: closed, ${anything} } }, async () => ({}))`
      )
    },
    {},
    log
  )
  const lines = output()
    .split('\n')
    .filter((each) => each.includes('properties that its schema'))
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines[0] ?? '{}'), {
    place: /routes\/orders\.js:5$/,
    route: 'POST /api/orders',
    part: 'body/items/items',
    msg: /closed\(\{ … \}\), or add additionalProperties: false/
  })
})

t.test('a response whose status has no schema is not sent', async (t) => {
  const { log, output } = captureLog()
  const item =
    "{ type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false }"
  const answer = (method: string, status: number, response: string) =>
    `app.${method}('/orders', { config: { access: 'public' }, schema: { response: ${response} } }, async (request, reply) => reply.code(${status}).send({ id: 'one', secret: 'two' }))`
  const file = routes(
    answer('get', 202, `{ 200: ${item} }`),
    answer('put', 400, `{ 200: ${item} }`),
    answer('post', 202, `{ 202: ${item} }`)
  )
  const app = await portalWith(t, { 'routes/orders.js': file }, {}, log)
  const call = (method: 'GET' | 'PUT' | 'POST') => app.inject({ method, url: '/api/orders' })
  for (const method of ['GET', 'PUT'] as const) {
    const refused = await call(method)
    t.match(refused.json(), { status: 500, code: 'internal-error' })
    t.notMatch(refused.body, /two/)
  }
  t.match(
    output(),
    /routes\/orders\.js:2: GET \/api\/orders has no schema for .* status 202: add it/
  )
  t.match(output(), /PUT \/api\/orders has no schema for .* status 400/)
  t.same((await call('POST')).json(), { id: 'one' })
})

t.test('schemas that the app adds can be referred to', async (t) => {
  const app = await portalWith(t, {
    'routes/orders.js': routes(
      "app.addSchema({ $id: 'Order', type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false })",
      "app.get('/orders', { config: { access: 'public' }, schema: { response: { 200: { $ref: 'Order#' } } } }, async () => ({ id: 'one', secret: 'two' }))"
    )
  })
  t.same((await app.inject('/api/orders')).json(), { id: 'one' })
})

t.test(
  'a plugin of others has the policy that allow sets, and is not in the document',
  async (t) => {
    const app = await portalWith(
      t,
      {
        'plugins/files.js':
          `${fp}import { allow } from 'portal'\n` +
          "const files = fp(async (app, { prefix }) => {\napp.decorateReply('sendFile', function (name) { return this.type('text/html').send(name) })\n" +
          "app.get(prefix + '/*', async (request, reply) => reply.sendFile(request.params['*']))\n" +
          "app.post(prefix + '/upload', async () => ({ stored: true }))\n})\n" +
          "export default fp(async (app) => {\nawait app.register(allow(files, { access: 'session', csp: \"default-src 'self'\" }), { prefix: '/files' })\n})\n",
        'routes/orders.js': routes(
          `app.get('/orders', { config: { access: 'public' }, schema: { ${anything} } }, async (request, reply) => ({ has: typeof reply.sendFile }))`
        )
      },
      { THROTTLE_WRITES: { burst: 1, seconds: 3600 } }
    )
    const { call } = await aCaller(app)
    t.equal((await app.inject('/files/page')).statusCode, 401)
    const page = await call('GET', '/files/page')
    t.equal(page.body, 'page')
    t.match(page.headers, {
      'content-security-policy': "default-src 'self'",
      'cross-origin-opener-policy': 'same-origin'
    })
    t.equal((await call('HEAD', '/files/page')).statusCode, 200)
    t.equal((await call('POST', '/files/upload')).statusCode, 200)
    t.equal((await call('POST', '/files/upload')).statusCode, 429, 'its changes are limited')
    const own = await app.inject('/api/orders')
    t.same(own.json(), { has: 'function' })
    t.match(own.headers['content-security-policy'], /default-src 'none'/)
    const { paths } = app.swagger() as { paths: object }
    t.same(
      Object.keys(paths).filter((each) => /orders|files/.test(each)),
      ['/api/orders']
    )
  }
)

t.test('pages of the app may begin at the root, behind those of the portal', async (t) => {
  const app = await portalWith(t, {
    'plugins/pages.js':
      `${fp}import { allow } from 'portal'\n` +
      "const pages = fp(async (app) => {\napp.get('/*', async (request, reply) => reply.type('text/html').send('own page'))\n})\n" +
      "export default fp(async (app) => {\nawait app.register(allow(pages, { access: 'public' }))\n})\n"
  })
  for (const url of ['/', '/orders/1', '/favicon.ico']) {
    t.equal((await app.inject(url)).body, 'own page', url)
  }
  t.equal((await app.inject('/health')).json().status, 'ok')
  t.match((await app.inject('/docs')).body, /swagger/i)
  t.equal((await app.inject('/api/nothing')).statusCode, 404, 'no page below /api')
  t.equal((await app.inject('/api/auth/me')).statusCode, 401)
})

t.test(
  'an error of the app that nothing catches is logged with its place, and counted',
  async (t) => {
    const { log, output } = captureLog()
    const port = await freePort()
    const app = await portalWith(
      t,
      {
        'plugins/orders.js': `${fp}export default fp(async (app) => {\napp.decorate('late', () => new Error('late'))\n})\n`
      },
      { METRICS_PORT: port },
      log
    )
    const { late } = app as unknown as { late?: () => Error }
    t.equal(late, undefined, 'what the app decorates stays in its scope')
    const emit = (error: Error) =>
      (process as NodeJS.EventEmitter).emit('uncaughtExceptionMonitor', error, 'unhandledRejection')
    emit(new Error('of others'))
    t.notMatch(output(), /nothing caught/)
    const error = new Error('late')
    error.stack = `Error: late\n    at ship (${app.ownApp?.folder}/plugins/orders.js:7:3)`
    emit(error)
    t.match(output(), /"place":"[^"]*plugins\/orders\.js:7".*nothing caught an error of the app/)
    t.match(app.ownCode?.failures, { uncaughtException: 0, unhandledRejection: 1 })
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    t.match(metrics, 'portal_app_failures_total{kind="unhandledRejection"} 1')
    await app.close()
    emit(error)
    t.same(app.ownCode?.failures.unhandledRejection, 1, 'it listens no longer')
  }
)
