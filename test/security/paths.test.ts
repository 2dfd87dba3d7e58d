import t from 'tap'
import { aCaller, testApp } from '../support/app.ts'
import { aService } from '../support/keys.ts'

const app = await testApp(t)
const { cookie, call } = await aCaller(app)
const headers = { cookie }

const nowhere = [
  '/api/auth/me/',
  '/api/auth//me',
  '//api/auth/me',
  '/API/auth/me',
  '/api/auth/Me',
  '/api/auth/me;x=1',
  '/api/auth/me%2f',
  '/api/auth%2fme',
  '/api/auth/me%00',
  '/api/auth/me.json',
  '/api/auth/me/avatar.css',
  '/api/auth/me%20',
  '/api/auth/me%0a',
  '/.git/config',
  '/.env',
  '/package.json',
  '/dist/src/server.js',
  '/metrics'
]
for (const url of nowhere) {
  t.test(`${url} is not an alternative spelling: 404, signed in or not`, async (t) => {
    for (const request of [{ url }, { url, headers }]) {
      const response = await app.inject(request)
      t.equal(response.statusCode, 404)
      t.match(response.json(), { code: 'not-found' })
    }
  })
}

t.test('a percent-encoded path is the same route with the same access policy', async (t) => {
  t.equal((await app.inject('/api/%61uth/me')).statusCode, 401)
  t.equal((await app.inject({ url: '/api/%61uth/me', headers })).statusCode, 200)
  t.equal((await app.inject('/api/%61dmin/users')).statusCode, 401)
  t.equal((await app.inject({ url: '/api/%61dmin/users', headers })).statusCode, 403)
})

for (const url of ['/%', '/%zz', '/api/auth/%ff', '/api/user/sessions/%c0%af']) {
  t.test(`${url} cannot be decoded: 400`, async (t) =>
    t.match((await app.inject(url)).json(), { status: 400, code: 'malformed-request' })
  )
}

t.test('a URL of more than 2048 characters or with an overlong segment is 414', async (t) => {
  t.match((await app.inject({ url: `/api/auth/me?x=${'x'.repeat(2048)}`, headers })).json(), {
    status: 414,
    code: 'uri-too-long'
  })
  t.match(
    (
      await app.inject({ method: 'DELETE', url: `/api/user/sessions/${'x'.repeat(101)}`, headers })
    ).json(),
    { status: 414, code: 'uri-too-long' }
  )
})

for (const id of [
  '1',
  '../me',
  '0199B0A2-7C1E-7D3A-8F52-3B1F6A9C0D4E',
  '{id}',
  "' or 1=1--",
  '00000000-0000-0000-0000-00000000000g',
  '%00'
]) {
  t.test(`${id} is not an id and does not reach the database`, async (t) => {
    const response = await call('DELETE', `/api/user/sessions/${encodeURIComponent(id)}`)
    t.equal(response.statusCode, 400)
    t.notMatch(response.body, /sql|syntax|uuid:.*uuid:/i)
  })
}

t.test('an unsupported method is 405 with the supported ones', async (t) => {
  for (const [method, url, allow] of [
    ['DELETE', '/api/auth/login', 'POST'],
    ['POST', '/api/auth/me', 'GET, HEAD'],
    ['PATCH', '/api/user/sessions', 'GET, HEAD, DELETE'],
    ['OPTIONS', '/api/user/theme', 'PUT'],
    ['TRACE', '/health', 'GET, HEAD'],
    ['PROPFIND', '/health', 'GET, HEAD']
  ] as const) {
    const response = await app.inject({ method: method as 'GET', url, headers })
    t.same([response.statusCode, response.headers.allow], [405, allow], `${method} ${url}`)
  }
})

for (const [name, value] of Object.entries({
  'x-http-method-override': 'DELETE',
  'x-method-override': 'DELETE',
  'x-original-url': '/api/admin/users',
  'x-rewrite-url': '/api/admin/users',
  'x-forwarded-prefix': '/api/admin',
  'x-original-method': 'DELETE'
})) {
  t.test(`the header ${name} changes neither method nor path`, async (t) => {
    const response = await app.inject({
      url: '/api/user/sessions',
      headers: { cookie, [name]: value }
    })
    t.equal(response.statusCode, 200)
    t.equal(response.json().items.length, 1)
  })
}

for (const query of [
  'limit=1&limit=2',
  'limit=1&limit[]=2',
  'limit=1.5',
  'limit=-1',
  'limit=',
  'sort=password',
  'sort=createdAt;drop',
  'cursor=x&cursor=y',
  '__proto__[x]=1',
  'constructor=1',
  'unknown=1'
]) {
  t.test(
    `the query ${query} is 400: unknown names, wrong types and repeated names are rejected`,
    async (t) => {
      const response = await call('GET', `/api/user/activity?${query}`)
      t.equal(response.statusCode, 400)
      t.match(response.json().errors, [{ pointer: /^\/query/ }])
    }
  )
}

const notDigits = [
  '1e309',
  '-1e309',
  'Infinity',
  '-Infinity',
  'NaN',
  '0x10',
  '%2010',
  '10%20',
  '1e1',
  '5.0',
  '%2B5',
  '+5',
  '-0',
  '0b1',
  '1_0',
  '%D9%A1',
  '9'.repeat(400),
  'true',
  'null'
]
/** Every integer in a query of the document, with its operation. */
const integers = Object.entries(
  (
    app.swagger() as unknown as {
      paths: Record<string, Record<string, { parameters?: Parameter[] }>>
    }
  ).paths
).flatMap(([path, item]) =>
  Object.values(item).flatMap(({ parameters = [] }) =>
    parameters
      .filter(({ schema: { type } }) => ['integer', 'number'].some((each) => each === type))
      .map(({ in: place, name, schema }) => ({ path, place, name, least: schema.minimum ?? 1 }))
  )
)
interface Parameter {
  in: string
  name: string
  schema: { type: unknown; minimum?: number }
}

t.test('integers in the query of every operation consist of digits only', async (t) => {
  const { call, user } = await aCaller(app, 'admin')
  const service = await aService(app.database, 'user')
  const urlOf = (path: string) =>
    path.replace('{id}', user.id).replace('{key}', service.key).replace('{scope}', 'org:1')
  t.ok(integers.length > 12)
  const found = []
  for (const [n, { path, place, name, least }] of integers.entries()) {
    t.equal(place, 'query', `${path}: ${name}`)
    const ask = (text: string) =>
      call('GET', `${urlOf(path)}?${name}=${text}`, undefined, {
        'x-original-method': 'GET' // for the check of another service
      })
    t.not((await ask(String(Math.max(1, least)))).statusCode, 400, path)
    // All texts for the first, and two others for each of the rest.
    const first = (2 * n) % notDigits.length
    for (const text of n === 0 ? notDigits : notDigits.slice(first, first + 2)) {
      const { code, errors } = (await ask(text)).json()
      found.push({ path, name, text, code, pointer: errors?.[0].pointer })
    }
  }
  t.same(
    found,
    found.map((each) => ({ ...each, code: 'invalid-request', pointer: `/query/${each.name}` }))
  )
})

t.test('HEAD has the same access policy and effect as GET', async (t) => {
  const response = await call('HEAD', '/api/user/sessions')
  t.same([response.statusCode, response.body], [200, ''])
  t.equal((await call('HEAD', '/api/auth/logout')).statusCode, 405)
})
