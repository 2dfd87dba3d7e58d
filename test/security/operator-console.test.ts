import t from 'tap'
import { desc } from 'drizzle-orm'
import { activity } from '../../db/schema/activity.ts'
import { aUser } from '../support/app.ts'
import { captureLog } from '../support/log-capture.ts'
import { testConsole } from '../support/console.ts'

const host = 'localhost:80'

t.test('only names of this machine are served, with any port', async (t) => {
  const { call } = await testConsole(t)
  const status = async (name: string) =>
    (await call('GET', '/api/admin/users', undefined, { host: name })).statusCode
  for (const name of ['127.0.0.1:9000', '[::1]:9000', 'localhost', 'db.localhost:1']) {
    t.equal(await status(name), 200, name)
  }
  for (const name of [
    'portal.example.com', // PUBLIC_ORIGIN
    'portal.internal', // ALLOWED_HOSTS
    'rebound.example',
    'rebound.example:80',
    '127.0.0.1.rebound.example',
    'localhost.rebound.example',
    '10.0.0.7',
    '0.0.0.0'
  ]) {
    t.equal(await status(name), 421, name)
  }
  const { detail } = (await call('GET', '/console', undefined, { host: 'tunnel.example' })).json()
  t.match(detail, /Open the link that its terminal printed/)
})

t.test('pages on another port and on another site can neither read nor change', async (t) => {
  const { send, call, app, access } = await testConsole(t, {
    canWrite: true,
    CORS_ORIGINS: ['https://app.example.com']
  })
  const link = access.issueLink()
  const page = await send('GET', '/console')
  const [, file = ''] = /src="([^"]+)"/.exec(page.body) ?? []
  t.notMatch(page.body, '/api/', 'the browser would read it without the token')
  for (const headers of [
    { 'sec-fetch-site': 'same-site' }, // another port of this machine
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-site': 'whatever' },
    { origin: 'http://localhost:3000' },
    { origin: 'https://app.example.com' },
    { origin: 'https://portal.example.com' },
    { origin: `https://${host}` },
    { origin: 'null' },
    { origin: `http://${host}`, 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
  ]) {
    for (const [method, url] of [
      ['GET', '/console'],
      ['GET', file],
      ['GET', '/api/admin/users'],
      ['HEAD', '/api/admin/users'],
      ['POST', '/api/admin/users'],
      ['POST', '/api/console/session'],
      ['GET', '/nothing']
    ] as const) {
      const body = url === '/api/console/session' ? { link } : {}
      const answer = await call(method, url, method === 'POST' ? body : undefined, {
        host,
        ...headers
      })
      t.equal(answer.statusCode, 403, `${method} ${url} ${JSON.stringify(headers)}`)
      if (method !== 'HEAD') {
        t.match(answer.json(), { code: 'cross-site', detail: /paste the link/ })
      }
      t.notMatch(Object.keys(answer.headers).join(), /access-control/)
    }
  }
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/api/admin/users',
    headers: { host, origin: 'http://localhost', 'access-control-request-method': 'GET' }
  })
  t.notMatch(Object.keys(preflight.headers).join(), /access-control/)
  for (const headers of [
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: `http://${host}` }
  ]) {
    t.equal((await call('GET', '/console', undefined, { host, ...headers })).statusCode, 200)
    t.equal(
      (await call('GET', '/api/admin/users', undefined, { host, ...headers })).statusCode,
      200
    )
  }
  t.equal(page.headers['cross-origin-opener-policy'], 'same-origin', 'no other window reaches it')
  t.match(page.headers['content-security-policy'], /frame-ancestors 'none'/)
  t.equal(page.headers['referrer-policy'], 'no-referrer')
  t.equal(page.headers['strict-transport-security'], undefined, 'other servers use this name too')
})

t.test('the operator is on record from authentication on, and not before', async (t) => {
  const { app, call, send } = await testConsole(t, { canWrite: true })
  const ada = await aUser(app.database)
  const records = () => app.db.select().from(activity).orderBy(desc(activity.at), desc(activity.id))
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const url = `/api/admin/users/${ada.id}`
  await call('PATCH', url, { name: 'Eve' }, foreign)
  t.match(await records(), [
    { action: 'request.cross-site', actorType: 'anonymous', actorLabel: null }
  ])
  t.equal((await send('PATCH', url, { name: 'Eve' })).statusCode, 401)
  t.equal((await records())[0]?.action, 'request.cross-site', 'nothing more')

  const changed = await call('PATCH', url, { name: 'Ada King' }, { 'user-agent': 'Firefox/1' })
  t.equal(changed.statusCode, 200)
  t.match((await records())[0], {
    action: 'user.update',
    actorType: 'cli',
    source: 'cli',
    actorLabel: 'ada',
    actorId: null,
    sessionId: null,
    ip: null,
    userAgent: 'Firefox/1',
    requestId: changed.headers['x-request-id'] as string
  })
})

t.test('neither link nor token gets into the log, the activity, or a refusal', async (t) => {
  const { log, output } = captureLog('trace')
  const { app, access, token, connect, send } = await testConsole(t, { logger: log })
  const link = access.issueLink()
  const authorization = `Bearer ${token}`
  const answers = [
    await connect(link),
    await connect(link),
    await send('POST', '/api/console/session', { link: `${link}x` }),
    await send('POST', '/api/console/session', { [link]: token }),
    await send('GET', `/console?start=${link}`),
    await send('GET', `/api/admin/${token}`),
    await send('GET', '/api/admin/users', undefined, { authorization, host: 'evil.example' }),
    await send('GET', '/api/admin/users', undefined, { authorization, origin: 'null' })
  ]
  const secrets = new RegExp(`${link}|${token}`)
  for (const answer of answers) t.notMatch(answer.body, secrets)
  t.match(output(), /\/api\/console\/session/)
  t.notMatch(output(), secrets)
  t.notMatch(JSON.stringify(await app.db.select().from(activity)), secrets)
})

t.test(
  'the guards of the command line stay: the last administrator, revisions, roles',
  async (t) => {
    const { app, call } = await testConsole(t, { canWrite: true })
    const ada = await aUser(app.database)
    const admin = `/api/admin/users/${ada.id}/roles/admin`
    t.equal((await call('PUT', admin)).statusCode, 204)
    t.match((await call('DELETE', admin)).json(), { code: 'last-admin' })
    t.match((await call('DELETE', `/api/admin/users/${ada.id}`)).json(), { code: 'last-admin' })
    t.match((await call('DELETE', '/api/admin/roles/admin')).json(), { code: 'system-entity' })
    const flag = { key: 'new-checkout', type: 'boolean', variants: { on: true, off: false } }
    const made = await call('POST', '/api/admin/flags', {
      ...flag,
      defaultVariant: 'off',
      offVariant: 'off'
    })
    t.equal(made.statusCode, 201, made.body)
    const [one, other] = await Promise.all(
      ['one', 'other'].map((description) =>
        call(
          'PATCH',
          '/api/admin/flags/new-checkout',
          { description },
          {
            'if-match': String(made.headers.etag)
          }
        )
      )
    )
    t.same([one?.statusCode, other?.statusCode].sort(), [200, 412], 'of two operators, one is told')
  }
)

t.test('nobody on the machine writes to the terminal of the operator by forwarding', async (t) => {
  const { app, call } = await testConsole(t)
  const forwarded = { 'x-forwarded-for': '192.0.2.1' }
  t.equal((await call('GET', '/api/admin/users', undefined, forwarded)).statusCode, 200)
  t.equal(app.untrustedProxies(), 0)
})
