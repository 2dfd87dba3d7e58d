import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { captureLog } from '../support/log-capture.ts'
import { freshEmail, ownApp, testDatabase } from '../support/app.ts'
import { leaksIn, storedText } from '../support/leaks.ts'

// Unique secrets that pass through everything the portal does.
const canary = randomBytes(12).toString('base64url')
const first = `first ${canary} password`
const second = `second ${canary} password`
const key = { kid: 'k1', secret: randomBytes(32) }
const secrets = new Set([
  canary,
  key.secret.toString('base64url'),
  key.secret.toString('hex'),
  key.secret.toString('base64')
])

const { log, output } = captureLog('trace')
const database = await testDatabase(t)
const app = await ownApp(t, { SECRET_KEYS: [key] }, database, log)
const bodies: string[] = []

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
async function call(
  method: Method,
  url: string,
  payload?: object | string,
  headers: Record<string, string> = {}
) {
  const response = await app.inject({
    method,
    url,
    headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(payload !== undefined && { payload })
  })
  bodies.push(response.body, JSON.stringify({ ...response.headers, 'set-cookie': undefined }))
  for (const cookie of [response.headers['set-cookie']].flat()) {
    const value = cookie?.split(';')[0]?.split('=')[1]
    if (value) for (const part of [value, ...value.split('.').slice(-1)]) secrets.add(part)
    const claims =
      value?.split('.').length === 3
        ? (JSON.parse(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString()) as {
            jti: string
          })
        : undefined
    if (claims) secrets.add(claims.jti)
  }
  return response
}
const cookieOf = (response: Awaited<ReturnType<typeof call>>) =>
  [response.headers['set-cookie']]
    .flat()
    .map((cookie) => cookie?.split(';')[0])
    .join('; ')
const login = async (email: string, password: string, cookie = '') =>
  call('POST', '/api/auth/login', { email, password }, { cookie })

async function everything() {
  const [email, adminEmail] = [freshEmail(), freshEmail()]
  for (const each of [email, adminEmail]) {
    await call('POST', '/api/auth/register', { email: each, password: first, name: 'Ada' })
  }
  await database.db.execute(
    sql`insert into user_roles (user_id, role_id) select users.id, roles.id from users, roles where users.email = ${adminEmail} and roles.key = 'admin'`
  )

  // Failures.
  await call('POST', '/api/auth/register', { email, password: first, name: 'Ada' })
  await call('POST', '/api/auth/register', { email: first, password: first, name: 'Ada' })
  await call('POST', '/api/auth/register', {
    email: freshEmail(),
    password: [first],
    name: 'Ada',
    [canary]: canary
  })
  await call('POST', '/api/auth/register', {
    email: freshEmail(),
    password: `${first}\0`,
    name: 'Ada'
  })
  await call('POST', '/api/auth/register', `{"password": "${first}`)
  await login(email, `${first} wrong`)
  await login(freshEmail(), first)
  await call('POST', '/api/auth/login', { email, password: `${first}${'x'.repeat(600)}` })
  await call('GET', `/api/auth/me?token=${canary}`, undefined, {
    authorization: `Bearer ${canary}`,
    'x-api-key': canary,
    cookie: `portal_session=${canary}; portal_device=${canary}`,
    referer: `https://app.example/?${canary}`,
    'user-agent': 'known'
  })
  await call('GET', `/api/auth/me/%zz${canary}`)
  await call('POST', '/ofrep/v1/evaluate/flags', {
    context: { targetingKey: canary, password: first }
  })

  // Successes.
  const signedIn = cookieOf(await login(email, first))
  const cookie = cookieOf(await login(email, first, signedIn))
  await call('GET', '/api/auth/me', undefined, { cookie })
  await call(
    'PUT',
    '/api/user/password',
    { currentPassword: `${first} wrong`, newPassword: second },
    { cookie }
  )
  await call(
    'PUT',
    '/api/user/password',
    { currentPassword: first, newPassword: canary.slice(0, 7) },
    { cookie }
  )
  const renewed = cookieOf(
    await call(
      'PUT',
      '/api/user/password',
      { currentPassword: first, newPassword: second },
      { cookie }
    )
  )
  await call(
    'PUT',
    '/api/user/email',
    { email: freshEmail(), currentPassword: first },
    { cookie: renewed }
  )
  await call(
    'PUT',
    '/api/user/email',
    { email: freshEmail(), currentPassword: second },
    { cookie: renewed }
  )
  for (const url of ['/api/user/sessions', '/api/user/activity', '/api/user/profile']) {
    await call('GET', url, undefined, { cookie: renewed })
  }
  await call('POST', '/api/user/deletion', { currentPassword: first }, { cookie: renewed })

  // Administration.
  const admin = { cookie: cookieOf(await login(adminEmail, first)) }
  const made = (
    await call(
      'POST',
      '/api/admin/users',
      { email: freshEmail(), name: 'Eve', password: first },
      admin
    )
  ).json() as { id: string }
  await call('PUT', `/api/admin/users/${made.id}/password`, { password: second }, admin)
  await call('PUT', `/api/admin/users/${made.id}/password`, { password: canary.slice(0, 7) }, admin)
  for (const url of [
    '/api/admin/users',
    '/api/admin/sessions',
    '/api/admin/activity',
    `/api/admin/users?q=${canary}`
  ]) {
    await call('GET', url, undefined, admin)
  }

  await call('POST', '/api/user/deletion', { currentPassword: second }, { cookie: renewed })
  await call('POST', '/api/auth/logout', undefined, admin)

  // Unexpected errors.
  await database.db.execute(sql`alter table activity rename to elsewhere`)
  await login(adminEmail, first)
  await call('POST', '/api/auth/register', { email: freshEmail(), password: first, name: 'Ada' })
  await call('POST', '/api/auth/logout', undefined, admin)
  await database.db.execute(sql`alter table elsewhere rename to activity`)
}

await everything()

const leaked = (text: string) => leaksIn(text, secrets)

t.test('the run used secrets: passwords, keys, tokens, device cookies', async (t) =>
  t.ok(secrets.size > 15, `${secrets.size}`)
)

t.test('no log line at any level contains a secret', async (t) => {
  const lines = output().trim().split('\n')
  // Not all lines: those about mail come when the worker has delivered it.
  const requests = lines.filter((line) => line.includes('"msg":"request"'))
  t.ok(requests.length >= 37, `${requests.length} requests`)
  t.ok(
    lines.some((line) => line.includes('request failed')),
    'the unforeseen is among them'
  )
  t.same(leaked(output()), [])
})

t.test('no response contains a secret outside Set-Cookie', async (t) => {
  t.ok(bodies.length > 70)
  t.same(leaked(bodies.join('\n')), [])
})

t.test('no stored activity record, session or user contains a secret', async (t) => {
  const text = await storedText(database.db)
  t.match(text, /auth\.login/)
  t.match(text, /\$2b\$04\$/)
  t.same(leaked(text), [])
})

t.test('every log line is one JSON object, whatever clients send', async (t) => {
  const capture = captureLog()
  const logged = await ownApp(t, {}, undefined, capture.log)
  for (const [url, agent] of [
    ['/a%0d%0a{"level":60,"msg":"forged"}', 'x'],
    ['/\u001b[2J', 'a'],
    ['/x?canary=1', 'forged\u009b31m'],
    [`/${'x'.repeat(1500)}`, 'x'.repeat(5000)]
  ] as const) {
    await logged.inject({ url, headers: { 'user-agent': agent } })
  }
  const lines = capture
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; path?: string })
    .filter(({ msg }) => msg === 'request')
  t.equal(lines.length, 4)
  for (const { path = '' } of lines) {
    t.match(path, /^\/[\x21-\x7e]*$/)
    t.notMatch(path, /canary/)
    t.ok(path.length <= 200)
  }
  t.notMatch(capture.output(), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/) // eslint-disable-line no-control-regex
})
