import t from 'tap'
import { systemPermissionKeys } from '../../src/domain/permissions.ts'
import { withinLimit } from '../support/size-limits.ts'
import { testConsole } from '../support/console.ts'

t.test('a link is exchanged once, for a token that answers who is there', async (t) => {
  const { access, connect, call, send, events } = await testConsole(t)
  const link = access.issueLink()
  t.match(link, /^[\w-]{43}$/, '256 bits')
  const first = await connect(link)
  t.match(first.json().token, /^[\w-]{43}$/)
  t.equal(first.headers['set-cookie'], undefined)
  t.match((await connect(link)).json(), { code: 'console-ended', detail: /used already/ })

  t.match((await call('GET', '/api/console/session')).json(), { code: 'console-ended' }, 'replaced')
  const authorization = `Bearer ${first.json().token}`
  const session = await send('GET', '/api/console/session', undefined, { authorization })
  t.same(session.json(), {
    environment: 'production',
    canWrite: false,
    keepsSettings: false,
    operator: 'ada',
    database: 'PostgreSQL at db.example.com/portal'
  })
  const { user } = (await send('GET', '/api/auth/session', undefined, { authorization })).json()
  t.match(user, { name: 'ada', email: 'db-1', permissions: [...systemPermissionKeys] })
  t.match((await send('GET', '/api/auth/options', undefined, { authorization })).json(), {
    registration: 'closed',
    passwordReset: false,
    passkeys: false
  })
  t.match(events, ['connected: lightMyRequest', 'connected: lightMyRequest', 'seen'])
})

t.test('the page has a script of its own, which stays small', async (t) => {
  const { send } = await testConsole(t)
  const { body } = await send('GET', '/console')
  const files = [...body.matchAll(/"(\/console\/assets\/operator-[^"]+)"/g)]
  t.equal(files.length, 2)
  let size = 0
  for (const [, url = ''] of files) {
    const file = await send('GET', url, undefined, { 'accept-encoding': 'br' })
    t.equal(file.headers['content-encoding'], 'br')
    size += file.rawPayload.length
  }
  withinLimit(t, 'compressed bytes of portal console', { size, limit: 62 * 1024 })
})

t.test('a new link replaces the previous one, and the token only when it is used', async (t) => {
  const { access, connect, call } = await testConsole(t)
  const [old, latest] = [access.issueLink(), access.issueLink()]
  t.equal((await connect(old)).statusCode, 401)
  t.equal((await call('GET', '/api/console/session')).statusCode, 200, 'still the page')
  t.equal((await connect(latest)).statusCode, 200)
  t.equal((await call('GET', '/api/console/session')).statusCode, 401)
})

t.test('the tenth wrong link ends the console', async (t) => {
  const { connect, events } = await testConsole(t)
  const wrong = 'A'.repeat(43)
  for (let n = 1; n < 10; n++) t.equal((await connect(wrong)).statusCode, 401)
  t.notMatch(events, ['guessing'])
  t.equal((await connect(wrong)).statusCode, 401)
  t.equal(events.filter((each) => each === 'guessing').length, 1)
})

t.test('only the token counts, and only in its header', async (t) => {
  const { send, token, events } = await testConsole(t)
  const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  for (const [url, headers] of [
    ['/api/admin/users', {}],
    ['/api/admin/users', { authorization: token }],
    ['/api/admin/users', { authorization: `Basic ${token}` }],
    ['/api/admin/users', { authorization: `Bearer ${wrong}` }],
    ['/api/admin/users', { authorization: `Bearer ${token}x` }],
    ['/api/admin/users', { cookie: `token=${token}; __Host-portal_session=${token}` }],
    [`/api/admin/users?q=${token}`, {}]
  ] as const) {
    const answer = await send('GET', url, undefined, headers)
    t.match(answer.json(), { status: 401, code: 'console-ended' }, JSON.stringify(headers))
  }
  t.notOk(events.includes('seen'), 'what is refused does not keep the console alive')
})

t.test('the page and its files need no token, and say nothing about the portal', async (t) => {
  const { send } = await testConsole(t)
  const page = await send('GET', '/console/users')
  t.equal(page.statusCode, 200)
  t.notMatch(page.body, /ada|db\.example\.com|db-1|portal\.example\.com|production/)
  const files = [...page.body.matchAll(/(?:href|src)="(\/console\/assets[^"]+)"/g)]
  t.ok(files.length >= 2)
  for (const [, url = ''] of files) t.equal((await send('GET', url)).statusCode, 200)
})

t.test('nothing else of the portal exists here', async (t) => {
  const { call } = await testConsole(t, { METRICS_PORT: 1, ACCOUNT_PAGES: 'on' })
  for (const [method, url] of [
    ['POST', '/api/auth/login'],
    ['POST', '/api/auth/register'],
    ['POST', '/api/auth/recovery'],
    ['GET', '/api/auth/me'],
    ['GET', '/api/user/profile'],
    ['POST', '/ofrep/v1/evaluate/flags'],
    ['GET', '/account'],
    ['GET', '/health'],
    ['GET', '/metrics'],
    ['GET', '/api/admin/metrics'],
    ['GET', '/docs'],
    ['GET', '/mail'],
    ['GET', '/openapi.json'],
    ['GET', '/.well-known/jwks.json']
  ] as const) {
    t.equal((await call(method, url)).statusCode, 404, url)
  }
})

t.test('End ends the console, also one that only reads', async (t) => {
  const { call, send, events } = await testConsole(t)
  t.equal((await send('DELETE', '/api/console/session')).statusCode, 401)
  t.notOk(events.includes('end'))
  t.equal((await call('DELETE', '/api/console/session')).statusCode, 204)
  t.ok(events.includes('end'))
})

t.test('without --write, only reads and the trial of a flag are allowed', async (t) => {
  const reading = await testConsole(t)
  const flag = {
    key: 'new-checkout',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'on',
    offVariant: 'off'
  }
  for (const [method, url, body] of [
    ['POST', '/api/admin/flags', flag],
    ['PUT', '/api/admin/roles/user/permissions/users:read', undefined],
    ['PATCH', '/api/admin/roles/user', { name: 'Everybody' }],
    ['DELETE', '/api/admin/sessions?userId=0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e', undefined]
  ] as const) {
    const refused = await reading.call(method, url, body)
    t.match(refused.json(), { status: 403, code: 'read-only', detail: /--write/ }, url)
  }
  t.equal((await reading.call('GET', '/api/admin/flags')).json().items.length, 0)
  t.match((await reading.call('POST', '/api/admin/flags/evaluate', { flag })).json(), {
    value: true
  })
  const writing = await testConsole(t, { canWrite: true })
  t.equal((await writing.call('POST', '/api/admin/flags', flag)).statusCode, 201)
  t.ok(writing.events.includes('change'))
})
