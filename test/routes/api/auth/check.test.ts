import { createPublicKey, verify } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sessions } from '../../../../db/schema/sessions.ts'
import { createPermission } from '../../../../src/domain/access/custom-permissions.ts'
import { problemHeader } from '../../../../src/http/forward-auth.ts'
import { aCaller, aRole, operator, testApp } from '../../../support/app.ts'
import { userPermissions } from '../../../support/permissions.ts'

const app = await testApp(t, { ASSERTION_AUDIENCES: ['invoices'] })
const { user, cookie } = await aCaller(app)
const check = (query = '', headers: Record<string, string> = {}) =>
  app.inject({
    url: `/api/auth/check${query}`,
    headers: { cookie, 'x-original-method': 'GET', ...headers }
  })

t.test('a check says who is signed in, in headers without names and addresses', async (t) => {
  const answer = await check()
  t.equal(answer.statusCode, 204)
  t.match(answer.headers, {
    'portal-user': user.id,
    'portal-session': /^[0-9a-f-]{36}$/,
    'portal-roles': 'user',
    'portal-permissions': userPermissions.join(' '),
    'portal-assurance': '1',
    'cache-control': 'no-store'
  })
  t.equal(answer.headers['portal-assertion'], undefined)
  t.notMatch(JSON.stringify(answer.headers), user.email)
  const head = await app.inject({
    method: 'HEAD',
    url: '/api/auth/check',
    headers: { cookie, 'x-original-method': 'GET' }
  })
  t.match(head, { statusCode: 204, headers: { 'portal-user': user.id } })
})

t.test('nobody is allowed without a session', async (t) => {
  const answer = await check('', { cookie: '' })
  t.match(answer, { statusCode: 401 })
  t.equal(answer.headers['portal-user'], undefined)
})

t.test('a refusal is repeated in a header, for proxies that drop its body', async (t) => {
  for (const answer of [
    await check('', { cookie: '' }),
    await check('?permission=users:read'),
    await check('?assurance=2')
  ]) {
    t.same(JSON.parse(String(answer.headers['portal-problem'])), answer.json())
  }
  t.equal((await check()).headers['portal-problem'], undefined)
  const text = JSON.stringify({ title: 'Größe \u{1F512}\u007f' })
  const value = String(problemHeader(text)['portal-problem'])
  t.match(value, /^[\x20-\x7e]+$/, 'a header is ASCII')
  t.equal(JSON.stringify(JSON.parse(value)), text)
  t.same(problemHeader('x'.repeat(2001)), {}, 'proxies refuse longer ones')
})

t.test('more keys than fit into headers are left out, in the assertion too', async (t) => {
  const permissions = Array.from({ length: 60 }, (_, i) => `many:${'x'.repeat(60)}-${i}`)
  for (const key of permissions) await createPermission(app.db, operator, { key })
  const roles = [await aRole(app.database, ...permissions)]
  for (let i = 0; i < 60; i++) roles.push(await aRole(app.database))
  const many = await aCaller(app, ...roles)
  const answer = await check('?audience=invoices&permission=many:none', { cookie: many.cookie })
  t.match(answer, { statusCode: 403 }, 'they still count')
  const { headers, statusCode } = await check(`?audience=invoices&permission=${permissions[59]}`, {
    cookie: many.cookie
  })
  t.equal(statusCode, 204)
  t.match(headers, { 'portal-permissions-omitted': 'true', 'portal-roles-omitted': 'true' })
  t.equal(headers['portal-permissions'], undefined)
  t.equal(headers['portal-roles'], undefined)
  const [, claims = ''] = String(headers['portal-assertion']).split('.')
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
  t.match(read, { sub: many.user.id })
  t.notOk('permissions' in read || 'roles' in read)
})

t.test('every permission in the query is needed', async (t) => {
  t.equal((await check('?permission=profile:read')).statusCode, 204)
  t.equal((await check('?permission=profile:read&permission=name:update')).statusCode, 204)
  for (const query of [
    '?permission=users:read',
    '?permission=profile:read&permission=users:read',
    '?permission=no:such'
  ]) {
    const answer = await check(query)
    t.match(answer.json(), { status: 403, code: 'permission-denied' }, query)
    t.equal(answer.headers['portal-user'], undefined)
  }
  const many = Array.from({ length: 11 }, () => 'permission=profile:read').join('&')
  t.match((await check(`?${many}`)).json(), { code: 'invalid-request' })
  t.match((await check('?permission=Profile')).json(), { code: 'invalid-request' })
})

t.test('a service can ask for a second factor and for a recent authentication', async (t) => {
  t.match((await check('?assurance=2')).json(), {
    status: 403,
    code: 'reauthentication-required',
    methods: []
  })
  t.equal((await check('?assurance=1&maxAge=600')).statusCode, 204)
})

t.test('an authentication in the future is not recent for a service', async (t) => {
  const { user, cookie } = await aCaller(app)
  const future = sql`now() + interval '90 seconds'`
  await app.db.update(sessions).set({ createdAt: future }).where(eq(sessions.userId, user.id))
  t.equal((await check('', { cookie })).statusCode, 204)
  const refused = await check('?maxAge=600', { cookie })
  t.match(refused.json(), { status: 403, code: 'reauthentication-required' })
})

t.test('the original method is needed, in capitals and once', async (t) => {
  for (const headers of [
    { 'x-original-method': '' },
    { 'x-original-method': 'get' },
    { 'x-original-method': 'GET, POST' },
    { 'x-original-method': 'GET', 'x-forwarded-method': 'post' }
  ] as Record<string, string>[]) {
    const answer = await check('', headers)
    t.match(answer.json(), { status: 400, code: 'original-method-missing' })
  }
  const missing = await app.inject({ url: '/api/auth/check', headers: { cookie } })
  t.match(missing.json(), { status: 400, code: 'original-method-missing' })
})

t.test('a page of another site cannot change something at a service', async (t) => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  t.equal((await check('', foreign)).statusCode, 204, 'reading is for the browser to protect')
  for (const method of ['POST', 'DELETE', 'PURGE']) {
    const answer = await check('', { ...foreign, 'x-original-method': method })
    t.match(answer.json(), { status: 403, code: 'cross-site' }, method)
  }
  const both = { ...foreign, 'x-original-method': 'GET', 'x-forwarded-method': 'POST' }
  t.match((await check('', both)).json(), { code: 'cross-site' }, 'the one that writes counts')
  const own = { origin: 'http://localhost:3000', 'x-original-method': 'POST' }
  t.equal((await check('', own)).statusCode, 204)
})

t.test('an assertion is signed for one audience, with a published key', async (t) => {
  t.match((await check('?audience=payroll')).json(), {
    status: 400,
    errors: [{ pointer: '/query/audience', code: 'unknown-audience' }]
  })
  const answer = await check('?audience=invoices')
  const [header = '', claims = '', signature = ''] = String(
    answer.headers['portal-assertion']
  ).split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object
  t.same(read(header), { alg: 'ES256', typ: 'portal-assertion+jwt', kid: 'test' })
  t.match(read(claims), {
    iss: 'http://localhost:3000',
    aud: 'invoices',
    sub: user.id,
    sid: answer.headers['portal-session'],
    roles: ['user'],
    assurance: 1
  })
  const { iat, exp } = read(claims) as { iat: number; exp: number }
  t.equal(exp - iat, 60)
  const published = await app.inject('/.well-known/jwks.json')
  t.equal(published.headers['cache-control'], 'public, max-age=300')
  const [key] = published.json<{ keys: { kid: string }[] }>().keys
  t.equal(key?.kid, 'test')
  t.equal(Object.hasOwn(key ?? {}, 'd'), false)
  const publicKey = createPublicKey({ key: key as never, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  const given = Buffer.from(signature, 'base64url')
  t.ok(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, given))
})

t.test('an assertion is no session cookie', async (t) => {
  const assertion = String((await check('?audience=invoices')).headers['portal-assertion'])
  const [name] = cookie.split('=')
  const answer = await check('', { cookie: `${name}=${assertion}` })
  t.equal(answer.statusCode, 401)
})

t.test('the question whether somebody is signed in is no error', async (t) => {
  const signedIn = await app.inject({ url: '/api/auth/session', headers: { cookie } })
  t.match(signedIn.json(), { user: { id: user.id }, session: { assurance: 1 } })
  const nobody = await app.inject('/api/auth/session')
  t.equal(nobody.statusCode, 200)
  t.same(nobody.json(), { user: null, session: null })
})
