import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eq } from 'drizzle-orm'
import { users } from '../../db/schema/users.ts'
import { aCaller, freshEmail, password, testApp } from '../support/app.ts'
import { aFlag } from '../support/flags.ts'

const app = await testApp(t)
const { user, cookie, call } = await aCaller(app)
const send = (
  payload: string | Buffer,
  headers: Record<string, string>,
  url = '/api/auth/register'
) => app.inject({ method: 'POST', url, headers, payload })
const json = { 'content-type': 'application/json' }
const input = (changes: object = {}) => ({ email: freshEmail(), password, name: 'Ada', ...changes })
const body = (changes?: object) => JSON.stringify(input(changes))

for (const type of [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON'
]) {
  t.test(`JSON sent as ${type} is read`, async (t) =>
    t.equal((await send(body(), { 'content-type': type })).statusCode, 201)
  )
}

const types = [
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'application/merge-patch+json',
  'application/problem+json',
  'application/json; x=y',
  'application/json, text/plain',
  'application/jsonp',
  'x',
  '*/*'
]
for (const type of types) {
  t.test(`a body sent as ${type} is 415, whatever it contains`, async (t) => {
    const response = await send(body(), { 'content-type': type })
    t.equal(response.statusCode, 415)
    t.match(response.json(), { code: 'unsupported-media-type' })
  })
}

t.test('a merge patch is called one or JSON, and a refusal says so', async (t) => {
  const { cookie } = await aCaller(app)
  const patch = (type: string) =>
    app.inject({
      method: 'PATCH',
      url: '/api/user/profile',
      headers: { cookie, 'content-type': type },
      payload: '{"bio":"Merged"}'
    })
  for (const type of [
    'application/merge-patch+json',
    'application/merge-patch+json;charset=UTF-8'
  ]) {
    t.match((await patch(type)).json(), { bio: 'Merged' }, type)
  }
  const refused = await patch('application/json-patch+json')
  t.match(refused, {
    statusCode: 415,
    headers: { 'accept-patch': 'application/json, application/merge-patch+json' }
  })
})

t.test('a body without a type is 415', async (t) => {
  t.equal((await send(Buffer.from(body()), {})).statusCode, 415)
})

for (const encoding of ['gzip', 'br', 'deflate', 'identity', '']) {
  t.test(`a body with Content-Encoding "${encoding}" is 415 and not decompressed`, async (t) => {
    t.equal((await send(body(), { ...json, 'content-encoding': encoding })).statusCode, 415)
  })
}

/** A valid registration except for these bytes in the name. */
function withName(...bytes: number[]) {
  const [before = '', after = ''] = body({ name: 'Ada @@' }).split('@@')
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
}

const malformed: Record<string, string | Buffer> = {
  truncated: '{"email": "canary',
  'with a key without a value': '{"canary"}',
  'with a __proto__ key': '{"__proto__": {"canary": 1}}',
  'with a nested __proto__ key': '{"name": {"__proto__": {"canary": 1}}}',
  'with an escaped __proto__ key': '{"\\u005f_proto__": {"canary": 1}}',
  'with a constructor that has a prototype': '{"constructor": {"prototype": {"canary": 1}}}',
  twice: '{} {}',
  NaN: 'NaN',
  'with a comment': '{/* canary */}',
  'with a trailing comma': '{"email": "canary",}',
  'in single quotes': "{'email': 'canary'}",
  'with a raw control character': '{"email": "can\nary"}',
  'with invalid UTF-8': withName(0xff),
  'with an overlong UTF-8 letter': withName(0xc0, 0xaf),
  'in UTF-16': Buffer.from(`\ufeff${body()}`, 'utf16le'),
  'with half of a character in UTF-8': withName(0xed, 0xa0, 0x80)
}
for (const [what, text] of Object.entries(malformed)) {
  t.test(`JSON ${what} is 400 and not repeated`, async (t) => {
    const response = await send(text, json)
    t.equal(response.statusCode, 400)
    t.match(response.json(), { code: 'malformed-json' })
    t.notMatch(response.body, /canary|prototype|Unexpected|position/)
  })
}

for (const [what, text] of Object.entries({
  null: 'null',
  'a number': '1',
  'a string': '"email"',
  'an array': '[]',
  'an array of bodies': `[${body()}]`,
  'a number out of range': '{"email": "a@example.com", "password": 1e400, "name": "x"}',
  nothing: ''
})) {
  t.test(`${what} as body is 400 with a field error`, async (t) => {
    const response = await send(text, json)
    t.equal(response.statusCode, 400)
    t.match(response.json(), {
      code: 'invalid-request',
      errors: [{ pointer: /^/, code: /^[a-z-]+$/ }]
    })
  })
}

t.test('JSON nested as deeply as a body allows is rejected without a failure', async (t) => {
  for (const text of [
    '['.repeat(4000),
    `${'['.repeat(2000)}${']'.repeat(2000)}`,
    `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`
  ]) {
    t.equal((await send(text, json)).statusCode, 400)
  }
  for (const url of ['/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/x']) {
    const deep = `{"context": ${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`
    t.ok((await send(deep, json, url)).statusCode < 500, url)
  }
})

t.test('bodies are limited to 4 KiB under /api/auth and to 16 KiB elsewhere', async (t) => {
  const ofSize = (size: number) => `{"email": "${'x'.repeat(size - 13)}"}`
  for (const url of ['/api/auth/register', '/api/auth/login']) {
    t.equal((await send(ofSize(4097), json, url)).statusCode, 413, url)
    t.equal((await send(ofSize(4096), json, url)).statusCode, 400, url)
  }
  t.equal((await call('PATCH', '/api/user/profile', { bio: 'x'.repeat(16_384) })).statusCode, 413)
  t.equal((await call('PATCH', '/api/user/profile', { bio: 'x'.repeat(16_000) })).statusCode, 400)
})

t.test('variants at their limit and fifty rules fit into one request', async (t) => {
  const admin = await aCaller(app, 'admin')
  // Four values of 4,000 characters, and one that fills the rest.
  const names = ['a', 'b', 'c', 'd']
  const full = Object.fromEntries(names.map((name) => [name, 'x'.repeat(4000)]))
  const rest = 16_384 - JSON.stringify({ ...full, on: '' }).length
  const variants = { ...full, on: 'x'.repeat(rest) }
  t.equal(JSON.stringify(variants).length, 16_384)
  const rulesFor = (users: number) =>
    Array.from({ length: 50 }, () => ({
      when: { users: Array.from({ length: users }, () => randomUUID()) },
      serve: { variant: 'on' }
    }))
  const rules = rulesFor(14)
  const flag = { type: 'string', variants, defaultVariant: 'on', offVariant: 'on', rules }
  const made = await admin.call('POST', '/api/admin/flags', aFlag(flag))
  t.equal(made.statusCode, 201, made.body)
  const url = String(made.headers.location)
  const changed = await admin.call('PATCH', url, { variants, rules: rulesFor(14) })
  t.equal(changed.statusCode, 200, changed.body)
  t.equal((await admin.call('PATCH', url, { rules: rulesFor(28) })).statusCode, 413)
})

const mine: [method: 'PUT' | 'PATCH', url: string, valid: object][] = [
  ['PUT', '/api/user/name', { name: 'Mallory' }],
  ['PUT', '/api/user/theme', { theme: 'dark' }],
  ['PATCH', '/api/user/profile', { bio: 'Mallory' }]
]
const hers = {
  role: 'admin',
  roles: ['admin'],
  permissions: ['users:read'],
  status: 'active',
  id: user.id,
  version: 9,
  isAdmin: true,
  credentialVersion: 9,
  passwordHash: 'x',
  emailVerified: true
}
for (const [name, value] of Object.entries(hers)) {
  t.test(
    `"${name}" in addition to permitted fields rejects registrations and own changes as a whole`,
    async (t) => {
      const registration = await send(body({ [name]: value }), json)
      t.equal(registration.statusCode, 400)
      t.match(registration.json().errors, [{ code: 'unknown-property' }])
      for (const [method, url, valid] of mine) {
        t.equal((await call(method, url, { ...valid, [name]: value })).statusCode, 400, url)
      }
      const [row] = await app.db.select().from(users).where(eq(users.id, user.id))
      t.match(row, { name: 'Ada Lovelace', theme: 'system', bio: null })
    }
  )
}

t.test('an unexpected body has no effect', async (t) => {
  const response = await app.inject({
    method: 'DELETE',
    url: '/api/user/sessions',
    headers: { cookie, ...json },
    payload: '{"all": true}'
  })
  t.ok([204, 400].includes(response.statusCode))
  t.equal((await call('GET', '/api/auth/me')).statusCode, 200)
})
