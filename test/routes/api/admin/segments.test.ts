// Also on PGlite.

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { segments } from '../../../../db/schema/flags.ts'
import { createSegment } from '../../../../src/domain/flags/segments.ts'
import {
  aCaller,
  activityOf,
  aRole,
  operator,
  testApp,
  testDatabase
} from '../../../support/app.ts'
import { aFlag } from '../../../support/flags.ts'
import { rejects, scenarios } from '../../../support/scenarios.ts'

const app = await testApp(t)
const admin = await aCaller(app, 'admin')
const { call } = admin

const all = '/api/admin/segments'
const urlOf = (key: string) => `${all}/${key}`
const listing = (...users: string[]) => ({ users })
async function create(when: object = listing('visitor-1'), changes: object = {}) {
  const segment = { key: `segment-${randomUUID()}`, when, ...changes }
  const response = await call('POST', all, segment)
  t.equal(response.statusCode, 201, response.body)
  return segment
}
const naming = (...segmentsAny: string[]) => ({
  rules: [{ when: { segmentsAny }, serve: { variant: 'on' } }]
})
async function createFlag(...keys: string[]) {
  const flag = aFlag({ public: true, ...naming(...keys) })
  const response = await call('POST', '/api/admin/flags', flag)
  t.equal(response.statusCode, 201, response.body)
  return flag
}
const valueFor = async (flag: string, targetingKey: string) =>
  (
    await app.inject({
      method: 'POST',
      url: `/ofrep/v1/evaluate/flags/${flag}`,
      payload: { context: { targetingKey } }
    })
  ).json().value

t.test('a segment is created, read, listed, changed and deleted', async (t) => {
  const { key } = await create(listing('ann'), { description: 'Pilots' })
  const found = await call('GET', urlOf(key))
  t.match(found.headers.etag, /^"1-/)
  t.match(found.json(), { key, description: 'Pilots', when: { users: ['ann'] }, usedBy: [] })
  const listed = await call('GET', `${all}?limit=200`)
  t.match(
    listed.json().items.filter((item: { key: string }) => item.key === key),
    [{ key, when: { users: ['ann'] }, usedBy: [] }]
  )
  const ifMatch = { 'if-match': '"1"' }
  const changed = await call('PATCH', urlOf(key), { when: { rolesAny: ['admin'] } }, ifMatch)
  t.match(changed, { statusCode: 200, headers: { etag: /^"2-/ } })
  t.same(changed.json().when, { rolesAny: ['admin'] }, 'conditions are replaced as a whole')
  t.equal(changed.json().description, 'Pilots')
  const url = urlOf(key)
  await scenarios(t, call, [
    ['an old tag', `PATCH ${url}`, { description: 'x' }, 412, 'precondition-failed', ifMatch],
    ['an old tag', `DELETE ${url}`, undefined, 412, 'precondition-failed', ifMatch],
    ['no tag', `DELETE ${url}`, undefined, 204],
    ['deleted', `GET ${url}`, undefined, 404, 'segment-not-found']
  ])
  t.match(
    (await activityOf(app.database, key)).map(({ action, details }) => [action, details]),
    [
      ['segment.delete', { key, version: 3 }],
      ['segment.update', { key, fields: ['when'], version: 2 }],
      ['segment.create', { key, version: 1 }]
    ]
  )
})

t.test(
  'a change counts with the next evaluation of every flag that names the segment',
  async (t) => {
    const { key } = await create(listing('ann'))
    const flags = [await createFlag(key), await createFlag(key)]
    const values = async (who: string) => Promise.all(flags.map((flag) => valueFor(flag.key, who)))
    t.same(await values('ann'), [true, true])
    t.same(await values('bob'), [false, false])
    await call('PATCH', urlOf(key), { when: listing('bob') })
    t.same(await values('ann'), [false, false])
    t.same(await values('bob'), [true, true])
    t.match((await call('GET', urlOf(key))).json(), {
      usedBy: flags.map((flag) => flag.key).toSorted()
    })
    t.match((await call('GET', `/api/admin/flags/${flags[0]?.key}`)).headers.etag, /^"1-/)
  }
)

t.test('a visitor is in no segment of a role, whatever they say', async (t) => {
  const role = await aRole(app.database)
  const { key } = await create({ rolesAny: [role] })
  const flag = await createFlag(key)
  const member = await aCaller(app, role)
  const url = `/ofrep/v1/evaluate/flags/${flag.key}`
  const context = { roles: [role], targetingKey: member.user.id }
  const visited = await app.inject({ method: 'POST', url, payload: { context } })
  t.equal(visited.json().value, false)
  const own = await member.call('POST', url, { context: {} })
  t.equal(own.json().value, true)
})

t.test('a rule cannot name a segment that does not exist', async (t) => {
  const { key } = await create()
  const flag = aFlag(naming(key, 'no-such-segment'))
  t.match((await call('POST', '/api/admin/flags', flag)).json(), {
    status: 400,
    errors: [{ pointer: '/rules/0/when/segmentsAny/1', code: 'unknown-segment' }]
  })
  const { key: existing } = await createFlag(key)
  const changed = await call('PATCH', `/api/admin/flags/${existing}`, naming('no-such-segment'))
  t.match(changed.json(), { errors: [{ code: 'unknown-segment' }] })
  t.equal((await call('PATCH', `/api/admin/flags/${existing}`, naming(key))).statusCode, 200)
})

t.test('a segment in use cannot be deleted, and one that is not can be restored', async (t) => {
  const { key } = await create(listing('ann'))
  const used: string[] = []
  for (let n = 0; n < 5; n++) used.push((await createFlag(key)).key)
  const refused = (await call('DELETE', urlOf(key))).json()
  t.match(refused, { status: 409, code: 'segment-in-use' })
  t.ok(refused.detail.includes(used.toSorted().slice(0, 3).join(', ')), refused.detail)
  t.match(refused.detail, / and 2 more\./)
  for (const flag of used) await call('PATCH', `/api/admin/flags/${flag}`, { rules: [] })
  t.equal((await call('DELETE', urlOf(key))).statusCode, 204)

  const named = await call('POST', `/api/admin/flags/${used[0]}/restore`, { version: 1 })
  t.match(named.json(), { status: 409, code: 'revision-not-restorable' })
  t.ok(named.json().detail.includes(`the segment ${key}`), named.json().detail)
  const deleted = (await call('GET', '/api/admin/deleted-flags?limit=200')).json().items
  t.match(
    deleted.filter((item: { key: string }) => item.key === key),
    [{ kind: 'segment', version: 2, actorLabel: admin.user.email }]
  )
  const ifMatch = { 'if-match': '"2"' }
  const restored = await call('POST', `${urlOf(key)}/restore`, { version: 1 }, ifMatch)
  t.match(restored, { statusCode: 200, headers: { etag: /^"3-/ } })
  t.match(restored.json(), { key, when: { users: ['ann'] } })
  const again = await call('POST', `/api/admin/flags/${used[0]}/restore`, { version: 1 })
  t.equal(again.statusCode, 200, again.body)
})

t.test('a segment has conditions that can hold', async (t) => {
  const segment = (when: object) => ({ key: `segment-${randomUUID()}`, when })
  const older = { attributes: [{ name: 'age', op: 'gt', values: ['x'] }] }
  const plan = { appSettings: [{ name: 'plan', op: 'in', values: ['pro'] }] }
  await rejects(t, call, `POST ${all}`, [
    ['no condition', segment({}), '/when empty'],
    ['another segment', segment({ segmentsAny: ['x'] }), '/when unknown-property'],
    ['a time', segment({ from: '2026-12-01T00:00:00Z' }), '/when unknown-property'],
    ['no role', segment({ rolesAny: ['no-such-role'] }), '/when/rolesAny/0 unknown-role'],
    ['a text that is compared', segment(older), '/when/attributes/0/values wrong-type'],
    ['no setting', segment(plan), '/when/appSettings/0/name unknown-setting']
  ])
  const existing = await create()
  t.match((await call('POST', all, existing)).json(), { status: 409, code: 'segment-exists' })
  const many = { key: `segment-${randomUUID()}`, when: { users: Array(1000).fill(randomUUID()) } }
  t.equal((await call('POST', all, many)).statusCode, 201, 'a thousand ids fit')
})

t.test('a flag names at most fifty segments', async (t) => {
  const keys: string[] = []
  for (let n = 0; n < 51; n++) keys.push((await create()).key)
  const rules = (count: number) =>
    Array.from({ length: Math.ceil(count / 20) }, (_, n) => ({
      when: { segmentsAny: keys.slice(n * 20, Math.min(count, (n + 1) * 20)) },
      serve: { variant: 'on' }
    }))
  const tooMany = await call('POST', '/api/admin/flags', aFlag({ rules: rules(51) }))
  t.match(tooMany.json(), { errors: [{ pointer: '/rules', code: 'too-many' }] })
  const allowed = await call('POST', '/api/admin/flags', aFlag({ rules: rules(50) }))
  t.equal(allowed.statusCode, 201, allowed.body)
})

t.test('there are at most two hundred segments, also when many are created at once', async (t) => {
  const { db } = await testDatabase(t)
  const rows = Array.from({ length: 197 }, (_, n) => ({
    key: `segment-${n}`,
    when: listing('ann')
  }))
  await db.insert(segments).values(rows)
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) =>
      createSegment(db, operator, { key: `more-${n}`, when: listing('ann') })
    )
  )
  const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  t.same(refused, Array(5).fill('too-many-segments'))
  t.equal(await db.$count(segments), 200)
})

t.test('a trial says in which segments the caller is', async (t) => {
  const [one, other] = [await create(listing('ann')), await create(listing('bob'))]
  const { key } = await createFlag(one.key, other.key)
  const trial = async (body: object) =>
    (await call('POST', '/api/admin/flags/evaluate', body)).json()
  const context = { targetingKey: 'ann' }
  t.match(await trial({ key, context }), { value: true, rule: 0, segments: [one.key] })
  t.same((await trial({ key, context: { targetingKey: 'eve' } })).segments, [])
  t.match(await trial({ flag: aFlag(naming('no-such-segment')), context }), {
    errors: [{ pointer: '/flag/rules/0/when/segmentsAny/0', code: 'unknown-segment' }]
  })
  const unsaved = await trial({ flag: aFlag(naming(other.key)), context, sample: 10 })
  t.match(unsaved, { value: false, shares: [{ variant: 'on', count: 0 }, { count: 10 }] })
})
