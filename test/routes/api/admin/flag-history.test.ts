// Also on PGlite.

import { eq } from 'drizzle-orm'
import t from 'tap'
import { flagRevisions, flags } from '../../../../db/schema/flags.ts'
import { aCaller, activityOf, aRole, testApp } from '../../../support/app.ts'
import { aFlag } from '../../../support/flags.ts'

const app = await testApp(t)
const admin = await aCaller(app, 'admin')
const { call } = admin

const urlOf = (key: string) => `/api/admin/flags/${key}`
async function create(changes: object = {}) {
  const flag = aFlag(changes)
  t.equal((await call('POST', '/api/admin/flags', flag)).statusCode, 201)
  return flag
}
const patch = async (key: string, changes: object) => call('PATCH', urlOf(key), changes)
const remove = async (key: string) => call('DELETE', urlOf(key))
const restore = async (key: string, version: number, headers: object = {}) =>
  call('POST', `${urlOf(key)}/restore`, { version }, { ...headers })
const historyOf = async (key: string) =>
  (await call('GET', `${urlOf(key)}/revisions`)).json().items as {
    version: number
    change: string
    fields: string[]
    actorLabel: string | null
    definition: object | null
  }[]

t.test('every change of a flag is a version, with its author and the whole flag', async (t) => {
  const { key } = await create({ description: 'A' })
  await patch(key, { description: 'B', state: 'disabled' })
  await patch(key, { description: 'B' }) // which changes nothing
  await remove(key)
  const [deletion, update, creation, ...others] = await historyOf(key)
  t.same(others, [])
  const by = { actorType: 'user', actorId: admin.user.id, actorLabel: admin.user.email }
  t.match(deletion, { version: 3, change: 'delete', fields: [], definition: null, ...by })
  t.match(update, { version: 2, change: 'update', fields: ['description', 'state'], ...by })
  t.match(update?.definition, { description: 'B', state: 'disabled', type: 'boolean', rules: [] })
  t.match(creation, { version: 1, change: 'create', fields: [], ...by })
  t.match(creation?.definition, { description: 'A', state: 'enabled' })
  t.match(
    (await activityOf(app.database, key)).map(({ action, details }) => [action, details]),
    [
      ['flag.delete', { key, version: 3 }],
      ['flag.update', { key, version: 2 }],
      ['flag.create', { key, version: 1 }]
    ]
  )
  const oldest = await call('GET', `${urlOf(key)}/revisions?sort=version&limit=2`)
  t.match(oldest.json().items, [{ version: 1 }, { version: 2 }])
  const next = /^<(.*)>/.exec(String(oldest.headers.link))?.[1] ?? ''
  t.match((await call('GET', next)).json(), { items: [{ version: 3 }], nextCursor: null })
  t.match((await call('GET', `${urlOf('never-was')}/revisions`)).json(), {
    status: 404,
    code: 'flag-not-found'
  })
})

t.test('an earlier version comes back as a new one', async (t) => {
  const { key } = await create({ description: 'A' })
  const { headers } = await patch(key, { description: 'B', state: 'disabled' })
  const restored = await restore(key, 1, { 'if-match': headers.etag })
  t.match(restored, { statusCode: 200, headers: { etag: /^"3-/ } })
  t.match(restored.json(), { key, description: 'A', state: 'enabled' })
  t.same((await call('GET', urlOf(key))).json(), restored.json())
  t.match((await historyOf(key))[0], { version: 3, change: 'restore', definition: {} })
  t.match((await activityOf(app.database, key))[0], {
    action: 'flag.restore',
    details: { key, fields: ['description', 'state'], version: 3 }
  })

  t.match(await restore(key, 1), { headers: { etag: /^"3-/ } }, 'the same state is not a change')
  t.equal((await historyOf(key)).length, 3)
})

t.test('of two restorations with the same ETag one fails', async (t) => {
  const { key } = await create({ description: 'A' })
  const { headers } = await patch(key, { description: 'B' })
  await patch(key, { description: 'C' })
  const both = { 'if-match': `${headers.etag}, "3"` }
  const found = await Promise.all([restore(key, 1, both), restore(key, 2, both)])
  t.same(found.map(({ statusCode }) => statusCode).toSorted(), [200, 412])

  await remove(key)
  const [deletion] = await historyOf(key)
  const ifMatch = { 'if-match': `"${deletion?.version}"` }
  const again = [await restore(key, 1, ifMatch), await restore(key, 2, ifMatch)]
  t.same(
    again.map(({ statusCode }) => statusCode),
    [200, 412]
  )
})

t.test('a deleted flag is listed, and can be restored', async (t) => {
  const flag = await create({ public: true })
  const { key } = flag
  await remove(key)
  const deleted = async () =>
    (await call('GET', '/api/admin/deleted-flags?limit=200'))
      .json()
      .items.find((item: { key: string }) => item.key === key)
  t.match(await deleted(), { kind: 'flag', key, version: 2, actorLabel: admin.user.email })
  t.match((await restore(key, 1)).headers.etag, /^"3-/)
  t.equal(await deleted(), undefined)
  const evaluated = await app.inject({ method: 'POST', url: `/ofrep/v1/evaluate/flags/${key}` })
  t.match(evaluated.json(), { value: false, reason: 'STATIC' })
  t.match((await activityOf(app.database, key))[0], {
    action: 'flag.restore',
    details: { key, version: 3 }
  })
})

t.test('deleted flags are listed page by page, and each key once', async (t) => {
  const keys: string[] = []
  for (let n = 0; n < 5; n++) keys.push((await create()).key)
  const [twice = ''] = keys
  for (const key of keys) await remove(key)
  await restore(twice, 1)
  await remove(twice)
  const walked: string[] = []
  let next: string | undefined = '/api/admin/deleted-flags?limit=2&sort=-key'
  while (next) {
    const response = await call('GET', next)
    walked.push(...response.json().items.map(({ key }: { key: string }) => key))
    next = /^<(.*)>/.exec(String(response.headers.link))?.[1]
  }
  t.same(
    walked.filter((key) => keys.includes(key)),
    keys.toSorted().toReversed()
  )
  t.equal(new Set(walked).size, walked.length)
})

t.test('the versions of a key go on when it is created again, so no old ETag fits', async (t) => {
  const flag = await create()
  const { key } = flag
  const tag = String((await call('GET', urlOf(key))).headers.etag)
  await remove(key)
  const again = await call('POST', '/api/admin/flags', flag)
  t.match(again, { statusCode: 201, headers: { etag: /^"3-/ } })
  t.match((await call('GET', urlOf(key))).headers.etag, /^"3-/)
  const late = await call('PATCH', urlOf(key), { state: 'disabled' }, { 'if-match': tag })
  t.equal(late.statusCode, 412)
  t.match(await historyOf(key), [
    { version: 3, change: 'create' },
    { version: 2, change: 'delete' },
    { version: 1, change: 'create' }
  ])
})

t.test('what cannot be restored is refused with its reason, and changes nothing', async (t) => {
  const role = await aRole(app.database)
  const { key } = await create({
    rules: [{ when: { rolesAny: [role] }, serve: { variant: 'on' } }]
  })
  await patch(key, { rules: [] })
  await call('DELETE', `/api/admin/roles/${role}`)
  const refusal = { status: 409, code: 'revision-not-restorable' }
  const gone = (await restore(key, 1)).json()
  t.match(gone, refusal)
  t.match(gone.detail, role)

  await remove(key)
  t.match((await restore(key, 3)).json(), { ...refusal, detail: /is a deletion/ })
  const text = { key, type: 'string', variants: { a: 'a' }, defaultVariant: 'a', offVariant: 'a' }
  await call('POST', '/api/admin/flags', text)
  t.match((await restore(key, 2)).json(), { ...refusal, detail: /type boolean/ })
  t.match((await restore(key, 9)).json(), { status: 404, code: 'revision-not-found' })
  t.match((await restore('never-was', 1)).json(), { status: 404, code: 'flag-not-found' })
  for (const version of [0, -1, 2 ** 31, 1.5]) {
    t.match((await restore(key, version)).json(), {
      status: 400,
      errors: [{ pointer: '/version' }]
    })
  }
  t.equal((await historyOf(key)).length, 4)
})

t.test('a refusal names three roles at most, however long their keys are', async (t) => {
  const keys = []
  for (let n = 0; n < 5; n++) {
    const key = `${'r'.repeat(60)}-${n}`
    await call('POST', '/api/admin/roles', { key, name: 'Role' })
    keys.push(key)
  }
  const { key } = await create({ rules: [{ when: { rolesAny: keys }, serve: { variant: 'on' } }] })
  await patch(key, { rules: [] })
  for (const role of keys) await call('DELETE', `/api/admin/roles/${role}`)
  const { code, detail } = (await restore(key, 1)).json()
  t.equal(code, 'revision-not-restorable')
  t.match(detail, /-2 and 2 more/)
})

t.test('restoring a deleted flag requires the right to create flags as well', async (t) => {
  const { key } = await create({ description: 'A' })
  await patch(key, { description: 'B' })
  const editor = await aCaller(app, await aRole(app.database, 'flags:update', 'flags:read'))
  const attempt = async (version: number) =>
    editor.call('POST', `${urlOf(key)}/restore`, { version })
  t.equal((await attempt(1)).statusCode, 200)
  await remove(key)
  t.match((await attempt(1)).json(), { status: 403, code: 'permission-denied' })
  t.equal((await call('GET', urlOf(key))).statusCode, 404)
})

t.test('only callers who may read the activity learn who changed a flag', async (t) => {
  const { key } = await create()
  await remove(key)
  const reader = await aCaller(app, await aRole(app.database, 'flags:read'))
  const hidden = { actorType: 'user', actorId: null, actorLabel: null }
  const history = await reader.call('GET', `${urlOf(key)}/revisions`)
  t.match(history.json().items, [hidden, hidden])
  const { items } = (await reader.call('GET', '/api/admin/deleted-flags?limit=200')).json()
  t.match(
    items.find((item: { key: string }) => item.key === key),
    hidden
  )
})

t.test('a state that was written without a version gets one before the next change', async (t) => {
  const { key } = await create({ description: 'A' })
  // Version 0.1 changes a flag like this.
  await app.db.update(flags).set({ description: 'B', version: 2 }).where(eq(flags.key, key))
  await patch(key, { description: 'C' })
  t.match(await historyOf(key), [
    { version: 3, change: 'update', definition: { description: 'C' } },
    {
      ...{ version: 2, change: 'found', fields: ['description'], definition: { description: 'B' } },
      ...{ actorType: null, actorId: null, actorLabel: null }
    },
    { version: 1, change: 'create' }
  ])
  t.match((await restore(key, 2)).json(), { description: 'B' })

  // Version 0.1 deletes a flag and creates another: its versions begin again.
  await app.db
    .update(flags)
    .set({ description: 'D', version: 1, rules: [] })
    .where(eq(flags.key, key))
  await remove(key)
  const [deletion, found] = await historyOf(key)
  t.match(deletion, { version: 6, change: 'delete' })
  t.match(found, { version: 5, change: 'found', definition: { description: 'D' } })
})

t.test('a flag from before there was a history gets its first version with a change', async (t) => {
  const { key } = await create({ description: 'A' })
  await app.db.delete(flagRevisions).where(eq(flagRevisions.key, key))
  await app.db.update(flags).set({ version: 7 }).where(eq(flags.key, key))
  t.same(await historyOf(key), [])
  t.match((await patch(key, { description: 'B' })).headers.etag, /^"8-/)
  t.match(await historyOf(key), [
    { version: 8, change: 'update', fields: ['description'] },
    { version: 7, change: 'found', fields: [], definition: { description: 'A' } }
  ])
})

t.test('flags may have the names of paths', async (t) => {
  for (const key of ['evaluate', 'deleted-flags', 'restore', 'revisions']) {
    await create({ key })
    await patch(key, { description: 'B' })
    t.match((await historyOf(key)).length, 2)
    t.match((await restore(key, 1)).json(), { key, description: '' })
    t.match((await call('GET', urlOf(key))).json(), { key })
  }
})
