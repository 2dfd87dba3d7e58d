// Also on PGlite.

import t from 'tap'
import { aCaller, activityOf, testApp } from '../../../support/app.ts'
import { settingsApp } from '../../../support/settings.ts'
import { rejects, scenarios } from '../../../support/scenarios.ts'

const url = '/api/user/settings'

t.test('a new user has the defaults of the app', async (t) => {
  const { call } = await aCaller(await settingsApp(t))
  const found = await call('GET', url)
  t.same(found.json(), { startPage: 'inbox' })
  t.match(found.headers.etag, /^"0-/)
  t.same((await call('GET', '/api/user/app-settings')).json(), {
    plan: 'free',
    limits: { projects: 3 }
  })
})

t.test('a patch changes what it names, and null removes it', async (t) => {
  const { call } = await aCaller(await settingsApp(t))
  const changed = await call('PATCH', url, { startPage: 'calendar', columns: ['date'] })
  t.same(changed.json(), { startPage: 'calendar', columns: ['date'] })
  t.match(changed.headers.etag, /^"1-/)
  const removed = await call('PATCH', url, { startPage: null }, { 'if-match': '"1"' })
  t.same(removed.json(), { startPage: 'inbox', columns: ['date'] })
  t.same((await call('GET', url)).json(), removed.json())
  t.match((await call('GET', url)).headers.etag, /^"2-/)
})

t.test('a list is replaced, and nested objects are merged', async (t) => {
  const nested = (properties: object) => ({
    type: 'object',
    additionalProperties: false,
    properties
  })
  const size = { type: 'integer', minimum: 0 }
  const app = await settingsApp(t, {
    user: nested({
      list: { type: 'array', maxItems: 9, items: size },
      box: nested({ width: size, height: size })
    })
  })
  const { call } = await aCaller(app)
  await call('PATCH', url, { list: [1, 2], box: { width: 1, height: 2 } })
  const changed = await call('PATCH', url, { list: [3], box: { width: null, height: 4 } })
  t.same(changed.json(), { list: [3], box: { height: 4 } })
})

t.test('PUT replaces everything', async (t) => {
  const { call } = await aCaller(await settingsApp(t))
  await call('PATCH', url, { startPage: 'calendar', columns: ['date'] })
  const replaced = await call('PUT', url, { columns: [] })
  t.same(replaced.json(), { startPage: 'inbox', columns: [] })
  t.equal((await call('PUT', url, { startPage: null })).statusCode, 400)
})

t.test('a mistake is named by its pointer, and changes nothing', async (t) => {
  const { call } = await aCaller(await settingsApp(t))
  const columns = Array.from({ length: 21 }, () => 'x')
  const body = { startPage: 'moon', columns, plan: 'pro' }
  const mistakes = [' unknown-property', '/startPage not-allowed', '/columns too-many']
  await rejects(t, call, `PATCH ${url}`, [['three mistakes', body, mistakes]])
  t.notMatch((await call('PATCH', url, body)).body, 'moon')
  t.match((await call('GET', url)).headers.etag, /^"0-/)
})

t.test('a number that JSON parsers round is rejected, and nothing is stored', async (t) => {
  const number = (type: string) => ({ type })
  const list = { type: 'array', maxItems: 9, items: number('number') }
  const properties = { big: number('integer'), list }
  const app = await settingsApp(t, {
    user: { type: 'object', additionalProperties: false, properties }
  })
  const { call } = await aCaller(app)
  await rejects(t, call, `PATCH ${url}`, [
    ['an integer', { big: 2 ** 53 }, '/big out-of-range'],
    ['a number in a list', { list: [0.5, -(2 ** 60)] }, '/list out-of-range']
  ])
  const kept = { big: Number.MAX_SAFE_INTEGER, list: [0.1] }
  t.same((await call('PUT', url, kept)).json(), kept)
})

t.test('names that JavaScript treats specially are rejected', async (t) => {
  const app = await settingsApp(t)
  const { cookie } = await aCaller(app)
  for (const body of [
    '{"__proto__":{"startPage":"calendar"}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"columns":[{"__proto__":1}]}'
  ]) {
    const response = await app.inject({
      method: 'PATCH',
      url,
      headers: { cookie, 'content-type': 'application/json' },
      payload: body
    })
    t.equal(response.statusCode, 400, body)
  }
  // If a name occurs twice, the last value counts, and only it is judged.
  const twice = await app.inject({
    method: 'PATCH',
    url,
    headers: { cookie, 'content-type': 'application/json' },
    payload: '{"startPage":"moon","startPage":"calendar"}'
  })
  t.same(twice.json(), { startPage: 'calendar' })
})

t.test('a body may be nested five levels deep, and 16 KiB of brackets end quickly', async (t) => {
  const app = await settingsApp(t)
  const { call, cookie } = await aCaller(app)
  const deep = (levels: number): object => (levels === 1 ? {} : { columns: deep(levels - 1) })
  const codeOf = async (body: object) => (await call('PATCH', url, body)).json().errors[0].code
  t.equal(await codeOf(deep(5)), 'wrong-type')
  t.equal(await codeOf(deep(6)), 'invalid')
  const brackets = await app.inject({
    method: 'PATCH',
    url,
    headers: { cookie, 'content-type': 'application/json' },
    payload: `{"columns":${'['.repeat(8000)}${']'.repeat(8000)}}`
  })
  t.equal(brackets.json().errors[0].code, 'invalid')
})

t.test('a document has at most 16384 bytes, in one request or in several', async (t) => {
  const text = { type: 'string', maxLength: 4000 }
  const names = ['a', 'b', 'c', 'd', 'e']
  const app = await settingsApp(t, {
    user: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(names.map((name) => [name, text]))
    }
  })
  const { call } = await aCaller(app)
  const full = Object.fromEntries(names.slice(0, 4).map((name) => [name, 'x'.repeat(4000)]))
  const rest = 16_384 - JSON.stringify({ ...full, e: '' }).length
  const whole = { ...full, e: 'x'.repeat(rest) }
  t.equal((await call('PUT', url, whole)).statusCode, 200)
  for (const [name, value] of Object.entries(whole)) {
    if (name !== 'e') t.equal((await call('PATCH', url, { [name]: value })).statusCode, 200)
  }
  const more = await call('PATCH', url, { e: 'x'.repeat(rest + 1) })
  t.match(more.json(), { status: 400, errors: [{ pointer: '', code: 'too-long' }] })
  const wide = await call('PATCH', url, { e: 'ä'.repeat(rest) })
  t.match(wide.json(), { status: 400, errors: [{ pointer: '', code: 'too-long' }] })
  t.equal((await call('PUT', url, { ...full, e: 'x'.repeat(rest + 1) })).statusCode, 413)
})

t.test('numbers that the database writes with hundreds of digits are too large', async (t) => {
  const app = await settingsApp(t, {
    user: {
      type: 'object',
      additionalProperties: false,
      properties: { list: { type: 'array', maxItems: 1000, items: { type: 'number' } } }
    }
  })
  const { call } = await aCaller(app)
  const list = Array.from({ length: 1000 }, () => 1e-300)
  const refused = await call('PATCH', url, { list })
  t.match(refused.json(), { status: 400, errors: [{ pointer: '', code: 'too-long' }] })
  t.equal((await call('PATCH', url, { list: list.slice(0, 100) })).statusCode, 200)
})

t.test('texts that no database can store are rejected', async (t) => {
  const { call } = await aCaller(await settingsApp(t))
  await rejects(t, call, `PATCH ${url}`, [
    ['NUL', { note: 'a\0b' }, '/note invalid-characters'],
    ['half a character', { note: 'a\uD800b' }, '/note invalid-characters']
  ])
  // Everything else is stored as it is, without normalization.
  const note = ' A\u030A\u202E\n'
  t.same((await call('PATCH', url, { note })).json().note, note)
})

t.test('a user cannot write what the app trusts', async (t) => {
  const { call } = await aCaller(await settingsApp(t))
  for (const method of ['PATCH', 'PUT'] as const) {
    t.equal((await call(method, '/api/user/app-settings', { plan: 'pro' })).statusCode, 405)
    t.equal((await call(method, url, { plan: 'pro' })).statusCode, 400)
  }
  t.match((await call('GET', '/api/user/app-settings')).json(), { plan: 'free' })
})

t.test('of two tabs, the second one learns that the settings have changed', async (t) => {
  const { call } = await aCaller(await settingsApp(t))
  const ifMatch = { 'if-match': '"0"' }
  t.equal((await call('PATCH', url, { startPage: 'calendar' }, ifMatch)).statusCode, 200)
  const second = await call('PATCH', url, { columns: [] }, ifMatch)
  t.match(second.json(), { status: 412, code: 'precondition-failed' })
  t.same((await call('GET', url)).json(), { startPage: 'calendar' })
})

t.test('of the changes of a user to their own, one an hour is recorded', async (t) => {
  const app = await settingsApp(t)
  const { call, user } = await aCaller(app)
  const records = async () =>
    (await activityOf(app.database, user.id)).filter(
      ({ action }) => action === 'user.settings-update'
    )
  await call('PATCH', url, { startPage: 'calendar', note: 'canary-4711' })
  await call('PATCH', url, { note: 'canary-4712' })
  const [only, ...others] = await records()
  t.same(others, [])
  t.same(only?.details, { part: 'user', fields: ['startPage', 'note'] })
  await app.db.execute(`update user_settings set recorded_at = now() - interval '61 minutes'`)
  await call('PATCH', url, { note: 'canary-4713' })
  t.equal((await records()).length, 2)
  t.notMatch(JSON.stringify(await activityOf(app.database, user.id)), 'canary')
})

t.test('writing the same value again changes nothing', async (t) => {
  const app = await settingsApp(t)
  const { call, user } = await aCaller(app)
  await call('PATCH', url, { columns: ['a', 'b'] })
  const before = await activityOf(app.database, user.id)
  for (let n = 0; n < 20; n++) {
    t.match((await call('PATCH', url, { columns: ['a', 'b'] })).headers.etag, /^"1-/)
  }
  t.same(await activityOf(app.database, user.id), before)
})

t.test('a page gets the schema to make a form of it', async (t) => {
  const { call } = await aCaller(await settingsApp(t))
  t.match((await call('GET', `${url}/schema`)).json(), {
    user: { properties: { startPage: { title: 'Start page' } } },
    app: { properties: { plan: { default: 'free' } } }
  })
})

t.test('without a schema there are no settings, for users who may have them', async (t) => {
  const app = await testApp(t)
  const { call } = await aCaller(app)
  await scenarios(t, call, [
    ['read', `GET ${url}`, undefined, 404, 'settings-off'],
    ['changed', `PATCH ${url}`, {}, 404, 'settings-off'],
    ['replaced', `PUT ${url}`, {}, 404, 'settings-off'],
    ['the schema', `GET ${url}/schema`, undefined, 404, 'settings-off'],
    ['those of the app', 'GET /api/user/app-settings', undefined, 404, 'settings-off']
  ])
  t.equal((await app.inject({ url })).statusCode, 401)
})
