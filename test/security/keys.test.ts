import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { apiKeys } from '../../db/schema/services.ts'
import { aCaller, activityOf, aRole, ownApp, until } from '../support/app.ts'
import { aService, aServiceKey, keyCaller } from '../support/keys.ts'

// An attacker, or a misconfigured client, tries this with an API key.

const app = await ownApp(t)
const reader = await aRole(app.database, 'activity:read', 'users:read')
const service = await aService(app.database, reader)
const { secret, id } = await aServiceKey(app.database, service)
const { cookie, user } = await aCaller(app)
const asked = { 'x-original-method': 'GET' }

t.test('a key is accepted in Authorization, where the caller asks for keys', async (t) => {
  const { check } = keyCaller(app, secret)
  const { statusCode, headers } = await check()
  t.equal(statusCode, 204)
  t.match(headers, {
    'portal-service': service.key,
    'portal-key': id,
    'portal-roles': reader,
    'portal-permissions': 'activity:read users:read',
    'portal-assurance': '1'
  })
  t.equal(headers['portal-user'], undefined)
  t.equal(headers['portal-session'], undefined)
  for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
    const spelled = await check('', { authorization: `${scheme} ${secret}` })
    t.equal(spelled.statusCode, 204, scheme)
  }
})

t.test('a machine whose key does not work is not told to sign in', async (t) => {
  const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
  for (const key of [wrong, `portal_${'x'.repeat(43)}_abc`]) {
    const response = await app.inject({
      url: '/api/machine/me',
      headers: { authorization: `Bearer ${key}` }
    })
    t.match(response.json(), { status: 401, code: 'unauthenticated', detail: /^This API key/ })
  }
})

t.test('nobody who does not ask for keys admits one', async (t) => {
  const authorization = `Bearer ${secret}`
  for (const query of ['', '?accept=', '?accept=session', '?permission=users:read']) {
    const response = await app.inject({
      url: `/api/auth/check${query}`,
      headers: { ...asked, authorization }
    })
    t.match(response, { statusCode: 401 }, query)
  }
  const bySession = await app.inject({
    url: '/api/auth/check',
    headers: { ...asked, authorization, cookie }
  })
  t.match(
    bySession,
    { statusCode: 204, headers: { 'portal-user': user.id } },
    'it is not looked at'
  )
  const twice = await app.inject({
    url: '/api/auth/check?accept=key&accept=key',
    headers: { ...asked, authorization }
  })
  t.equal(twice.statusCode, 401)
})

t.test('a key anywhere else counts as nothing', async (t) => {
  const basic = Buffer.from(`${secret}:`).toString('base64')
  const [name] = cookie.split('=')
  const places: [where: string, request: { url?: string; headers?: Record<string, string> }][] = [
    ['the query', { url: `/api/auth/check?accept=key&key=${secret}` }],
    ['a cookie', { headers: { cookie: `portal_key=${secret}` } }],
    ['the session cookie', { headers: { cookie: `${name}=${secret}` } }],
    ['X-API-Key', { headers: { 'x-api-key': secret } }],
    ['Basic', { headers: { authorization: `Basic ${basic}` } }],
    ['another scheme', { headers: { authorization: `Key ${secret}` } }],
    ['no scheme', { headers: { authorization: secret } }],
    ['a list', { headers: { authorization: `Bearer ${secret}, Bearer ${secret}` } }],
    ['9 KiB', { headers: { authorization: `Bearer ${secret}${'A'.repeat(9000)}` } }],
    ['Proxy-Authorization', { headers: { 'proxy-authorization': `Bearer ${secret}` } }]
  ]
  for (const [where, { url = '/api/auth/check?accept=key', headers }] of places) {
    const checked = await app.inject({ url, headers: { ...asked, ...headers } })
    t.match(checked.json(), { status: 401 }, where)
    const own = await app.inject({
      url: url.replace('/api/auth/check', '/api/machine/me'),
      headers: { ...headers }
    })
    t.ok(own.statusCode === 401 || own.statusCode === 400, where)
  }
})

t.test('of two Authorization headers none counts, in any order', async (t) => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const { sendRaw } = await import('../support/raw-requests.ts')
  for (const pair of [
    [`Bearer ${secret}`, 'Basic YTpi'],
    ['Basic YTpi', `Bearer ${secret}`],
    [`Bearer ${secret}`, `Bearer ${secret}`]
  ]) {
    const lines = pair.map((value) => `Authorization: ${value}`).join('\r\n')
    const { answers } = await sendRaw(
      port,
      `GET /api/machine/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n\r\n`
    )
    t.equal(answers[0]?.status, 401)
  }
})

t.test('a key and a session in one request are refused', async (t) => {
  const { check } = keyCaller(app, secret)
  const both = await check('', { cookie })
  t.match(both.json(), { status: 400, code: 'two-credentials' })
  t.equal(both.headers['portal-user'], undefined)
  const [name] = cookie.split('=')
  const invalid = await check('', { cookie: `${name}=nonsense` })
  t.match(invalid.json(), { code: 'two-credentials' }, 'whether they are valid or not')
  const other = await check('', { cookie: 'theme=dark' })
  t.equal(other.statusCode, 204, 'cookies of the app are no credential')
  const token = await check('', { cookie, authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' })
  t.match(token, { statusCode: 204, headers: { 'portal-user': user.id } })
})

t.test('a key cannot prove again who it is', async (t) => {
  const { check } = keyCaller(app, secret)
  for (const query of ['&assurance=2', '&maxAge=600']) {
    const refused = await check(query)
    t.match(refused.json(), { status: 403, code: 'reauthentication-required' })
    t.notOk('methods' in refused.json(), query)
  }
  t.equal((await check('&assurance=1')).statusCode, 204)
})

t.test('the permissions in the query are needed, and pages of other sites refused', async (t) => {
  const { check } = keyCaller(app, secret)
  t.equal((await check('&permission=users:read')).statusCode, 204)
  const refused = await check('&permission=users:delete')
  t.match(refused.json(), { status: 403, code: 'permission-denied' })
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const writing = await check('', { ...foreign, 'x-original-method': 'POST' })
  t.match(writing.json(), { status: 403, code: 'cross-site' })
})

t.test('a list of permissions limits a key, and its roles are not passed on', async (t) => {
  const limited = await aServiceKey(app.database, service, { permissions: ['users:read'] })
  const { check, me } = keyCaller(app, limited.secret)
  const { headers } = await check()
  t.equal(headers['portal-permissions'], 'users:read')
  t.equal(headers['portal-roles'], '', 'a role would say more than the list')
  t.match((await check('&permission=activity:read')).json(), { code: 'permission-denied' })
  t.match((await me()).json(), { roles: [], permissions: ['users:read'] })
})

t.test('a service with the role admin has no access to the admin API', async (t) => {
  const powerful = await aService(app.database, 'admin')
  const key = await aServiceKey(app.database, powerful)
  for (const url of ['/api/admin/users', '/api/admin/keys', '/api/auth/me', '/api/user/keys']) {
    const response = await app.inject({
      url,
      headers: { authorization: `Bearer ${key.secret}` }
    })
    t.equal(response.statusCode, 401, url)
  }
})

t.test('a key works until the millisecond of its expiry', async (t) => {
  const short = await aServiceKey(app.database, service)
  const { check } = keyCaller(app, short.secret)
  await app.db
    .update(apiKeys)
    .set({ expiresAt: sql`now() + interval '700 milliseconds'` })
    .where(eq(apiKeys.id, short.id))
  const [row] = await app.db.select().from(apiKeys).where(eq(apiKeys.id, short.id))
  const end = row?.expiresAt.getTime() ?? NaN
  const clock = async () => {
    const [at] = await app.db
      .select({ at: sql<string>`now()::text` })
      .from(apiKeys)
      .limit(1)
    return Date.parse(at?.at ?? '')
  }
  let yes = 0
  await until(async () => {
    const before = await clock()
    const { statusCode } = await check()
    const after = await clock()
    if (statusCode === 204) {
      yes++
      t.ok(before < end, 'no yes to a request that began after the expiry')
    } else t.ok(after >= end, 'no refusal before it')
    return statusCode === 401
  })
  t.ok(yes > 0)
})

t.test('the first use from a network is recorded, and no other', async (t) => {
  const owner = await aService(app.database)
  const key = await aServiceKey(app.database, owner)
  for (const remoteAddress of ['192.0.2.1', '192.0.2.1', '198.51.100.7', '192.0.2.1']) {
    await app.inject({
      url: '/api/machine/me',
      remoteAddress,
      headers: { authorization: `Bearer ${key.secret}` }
    })
  }
  const uses = async () =>
    (await activityOf(app.database, owner.id)).filter(({ action }) => action === 'key.use')
  await until(async () => (await uses()).length > 0)
  t.match(await uses(), [{ targetType: 'service', ip: '192.0.2.1', details: { key: key.id } }])
})
