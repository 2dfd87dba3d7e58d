// Also on PGlite.

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { userSettings } from '../../../../db/schema/users.ts'
import { changeSettings } from '../../../../src/domain/settings/settings.ts'
import { aCaller, activityOf, aUser, operator, testApp } from '../../../support/app.ts'
import { ownSettingsApp, schemaFile, settingsApp } from '../../../support/settings.ts'

const app = await settingsApp(t)

t.test('an administrator reads and writes both parts of a user', async (t) => {
  const admin = await aCaller(app, 'admin')
  const user = await aUser(app.database)
  for (const [path, part, patch] of [
    ['settings', 'user', { startPage: 'calendar' }],
    ['app-settings', 'app', { plan: 'pro' }]
  ] as const) {
    const url = `/api/admin/users/${user.id}/${path}`
    t.match((await admin.call('GET', url)).headers.etag, /^"0-/)
    t.match((await admin.call('PATCH', url, patch, { 'if-match': '"0"' })).json(), patch)
    t.equal((await admin.call('PUT', url, {}, { 'if-match': '"0"' })).statusCode, 412)
    t.match((await admin.call('PUT', url, {})).headers.etag, /^"2-/)
    const [last] = await activityOf(app.database, user.id)
    t.match(last, { action: 'user.settings-update', actorId: admin.user.id, details: { part } })
  }
})

t.test('a user who does not exist has no settings', async (t) => {
  const { call } = await aCaller(app, 'admin')
  const url = `/api/admin/users/${randomUUID()}/app-settings`
  t.match((await call('GET', url)).json(), { code: 'user-not-found' })
  t.match((await call('PATCH', url, { plan: 'pro' })).json(), { code: 'user-not-found' })
})

t.test('a page gets the schema, and settings are off without one', async (t) => {
  const { call } = await aCaller(app, 'admin')
  t.match((await call('GET', '/api/admin/settings-schema')).json(), schemaFile)
  const without = await aCaller(await testApp(t), 'admin')
  for (const path of ['settings-schema', `users/${without.user.id}/settings`]) {
    const response = await without.call('GET', `/api/admin/${path}`)
    t.match(response.json(), { code: 'settings-off' }, path)
  }
})

t.test('a schema that rejects every stored value leaves the defaults', async (t) => {
  const object = { type: 'object', additionalProperties: false }
  const box = { ...object, properties: { old: { type: 'boolean' } } }
  const { user: schema } = schemaFile
  const app = await ownSettingsApp(t, {
    user: { ...schema, properties: { ...schema.properties, box } }
  })
  const { user, call } = await aCaller(app)
  await call('PATCH', '/api/user/settings', { startPage: 'calendar', columns: ['a'], note: 'n' })
  await call('PATCH', '/api/user/settings', { box: { old: true } })
  const { SECRET_KEYS } = app.config
  const narrow = await ownSettingsApp(
    t,
    {
      user: {
        ...object,
        properties: {
          startPage: { type: 'string', enum: ['home'], default: 'home' },
          columns: { type: 'integer' },
          box: { ...object, properties: { fresh: { type: 'boolean' } } }
        }
      }
    },
    { SECRET_KEYS },
    app.database
  )
  const send = (method: 'GET' | 'PATCH', url: string, cookie: string, payload?: object) =>
    narrow.inject({ method, url, headers: { cookie }, ...(payload && { payload }) })
  const { cookie } = await aCaller(narrow, 'admin')
  const url = `/api/admin/users/${user.id}/settings`
  const read = await send('GET', url, cookie)
  t.same(read.json(), { startPage: 'home' })
  t.match(read.headers.etag, /^"2-/, 'a new schema does not change the revision')
  t.equal(narrow.settings?.rejectedReads.user, 1)

  // A patch counts a rejected value that it names as missing, and keeps the others.
  const patch = { columns: 7, box: { fresh: true } }
  t.same((await send('PATCH', url, cookie, patch)).json(), { startPage: 'home', ...patch })
  const before = (await call('GET', '/api/user/settings')).json()
  t.same(before, { startPage: 'calendar', note: 'n' }, 'nothing else was lost')
})

t.test('writes of two instances with different schemas lose nothing', async (t) => {
  const object = { type: 'object', additionalProperties: false }
  const flag = { type: 'boolean' }
  const schemaOf = (...names: string[]) => ({
    user: { ...object, properties: Object.fromEntries(names.map((name) => [name, flag])) }
  })
  const one = await ownSettingsApp(t, schemaOf('both', 'old'))
  const two = await ownSettingsApp(t, schemaOf('both', 'fresh'), {}, one.database)
  const { user } = await aCaller(one)
  const write = (app: typeof one, name: string, value: boolean) =>
    changeSettings(app.context, operator, {
      userId: user.id,
      part: 'user',
      permission: 'users:update',
      change: { patch: { [name]: value } }
    })
  const names = ['both', 'old', 'fresh'] as const
  const expected: Partial<Record<(typeof names)[number], boolean>> = {}
  let seed = 4711
  for (let n = 0; n < 20; n++) {
    seed = (seed * 48_271) % 2_147_483_647
    const name = names[seed % 3] ?? 'both'
    const app = name === 'old' || (name === 'both' && seed % 2 === 0) ? one : two
    expected[name] = seed % 5 < 2
    await write(app, name, expected[name])
  }
  const rows = await one.db.select().from(userSettings)
  t.same(
    rows.map(({ document }) => document),
    [expected]
  )
})
