// Also on PGlite.

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { deleteRole } from '../../../../src/domain/access/role-deletion.ts'
import { createRole } from '../../../../src/domain/access/roles.ts'
import { aCaller, aRole, operator, testApp } from '../../../support/app.ts'

const app = await testApp(t)
const admin = await aCaller(app, 'admin')
const { call } = admin

const all = '/api/admin/segments'
const urlOf = (key: string) => `${all}/${key}`
const listing = (...users: string[]) => ({ users })
async function create(when: object) {
  const segment = { key: `segment-${randomUUID()}`, when }
  const response = await call('POST', all, segment)
  t.equal(response.statusCode, 201, response.body)
  return segment
}

t.test('the history of a segment goes on after its deletion', async (t) => {
  const { key } = await create(listing('ann'))
  await call('PATCH', urlOf(key), { description: 'B' })
  await call('PATCH', urlOf(key), { description: 'B' }) // which changes nothing
  await call('DELETE', urlOf(key))
  await call('POST', all, { key, when: listing('bob') })
  const { items } = (await call('GET', `${urlOf(key)}/revisions`)).json()
  t.match(
    items.map(({ version, change }: { version: number; change: string }) => [version, change]),
    [
      [4, 'create'],
      [3, 'delete'],
      [2, 'update'],
      [1, 'create']
    ]
  )
  t.match(items[2], {
    fields: ['description'],
    definition: { description: 'B', when: { users: ['ann'] } },
    actorLabel: admin.user.email
  })
  t.match((await call('GET', urlOf(key))).headers.etag, /^"4-/, 'an old ETag fails')
  t.match(await call('POST', `${urlOf(key)}/restore`, { version: 2 }), {
    headers: { etag: /^"5-/ }
  })
  t.match((await call('POST', `${urlOf(key)}/restore`, { version: 3 })).json(), {
    code: 'revision-not-restorable'
  })
  const stale = { 'if-match': '"4"' }
  t.match((await call('POST', `${urlOf(key)}/restore`, { version: 1 }, stale)).json(), {
    code: 'precondition-failed'
  })
  t.match((await call('POST', `${urlOf(key)}/restore`, { version: 99 })).json(), {
    code: 'revision-not-found'
  })
  t.match((await call('GET', `${urlOf('never-was')}/revisions`)).json(), {
    code: 'segment-not-found'
  })
  const reader = await aCaller(app, await aRole(app.database, 'flags:read'))
  const [newest] = (await reader.call('GET', `${urlOf(key)}/revisions`)).json().items
  t.match(newest, { version: 5, actorId: null, actorLabel: null })
})

t.test('a version that names a deleted role cannot be restored', async (t) => {
  const role = `role-${randomUUID().slice(0, 8)}`
  await createRole(app.db, operator, { key: role, name: 'Role', permissions: [] })
  const { key } = await create({ rolesAny: [role] })
  await call('PATCH', urlOf(key), { when: listing('ann') })
  await deleteRole(app.db, operator, { key: role })
  const refused = (await call('POST', `${urlOf(key)}/restore`, { version: 1 })).json()
  t.match(refused, { status: 409, code: 'revision-not-restorable' })
  t.ok(refused.detail.includes(`the role ${role}`), refused.detail)
})

t.test('each operation needs its permission, and a restoration of a deleted one two', async (t) => {
  const { key } = await create(listing('ann'))
  await call('PATCH', urlOf(key), { description: 'B' })
  const as = async (...permissions: string[]) =>
    aCaller(app, await aRole(app.database, ...permissions))
  const updater = await as('flags:update')
  const creator = await as('flags:create', 'flags:update')
  const status = async ({ call }: typeof updater, ...args: Parameters<typeof call>) =>
    (await call(...args)).statusCode
  const restore = ['POST', `${urlOf(key)}/restore`, { version: 1 }] as const
  t.equal(await status(updater, 'GET', all), 403)
  t.equal(await status(updater, 'POST', all, { key: 'x', when: listing('a') }), 403)
  t.equal(await status(updater, 'DELETE', urlOf(key)), 403)
  t.equal(await status(updater, ...restore), 200, 'of one that exists')
  await call('DELETE', urlOf(key))
  t.equal(await status(updater, ...restore), 403)
  t.equal(await status(creator, ...restore), 200)
})
