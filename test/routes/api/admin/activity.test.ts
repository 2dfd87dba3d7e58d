// Also on PGlite.

import { sql } from 'drizzle-orm'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import { actions } from '../../../../db/schema/actions.ts'
import { activity } from '../../../../db/schema/activity.ts'
import { jobs } from '../../../../db/schema/jobs.ts'
import { record } from '../../../../src/domain/activity/record.ts'
import { oldActivity } from '../../../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../../../src/domain/jobs/delete-batches.ts'
import { ActivityDetails } from '../../../../src/schemas/activity.ts'
import { aCaller, aUser, operator, ownApp, testDatabase, until } from '../../../support/app.ts'
import { rejectsQueries } from '../../../support/scenarios.ts'

/** The sweep at the start must not delete records with dates of the past. */
const keepsOld = { ACTIVITY_RETENTION_DAYS: 36_500 }
const app = await ownApp(t, keepsOld)
const { call, user: admin } = await aCaller(app, 'admin')
const nobody = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'

t.test('a record contains actor, action, target, origin and request', async (t) => {
  const user = await aUser(app.database)
  const response = await call(
    'PATCH',
    `/api/admin/users/${user.id}`,
    { name: 'Grace' },
    { 'user-agent': 'A test' }
  )
  const { items } = (await call('GET', `/api/admin/activity?targetId=${user.id}&limit=1`)).json()
  t.match(items, [
    {
      action: 'user.update',
      outcome: 'success',
      reason: null,
      actorType: 'user',
      actorId: admin.id,
      actorLabel: admin.email,
      targetType: 'user',
      targetId: user.id,
      ip: '127.0.0.1',
      userAgent: 'A test',
      requestId: response.headers['x-request-id'],
      source: 'api',
      details: { fields: ['name'] }
    }
  ])
  t.same((await call('GET', `/api/admin/activity/${items[0].id}`)).json(), items[0])
  t.match((await call('GET', `/api/admin/activity/${nobody}`)).json(), {
    status: 404,
    code: 'activity-record-not-found'
  })
  t.match((await call('GET', '/api/admin/activity/1')).json(), {
    status: 400,
    errors: [{ pointer: '/path/id' }]
  })
})

t.test('every combination of filters returns the matching records, page by page', async (t) => {
  const app = await ownApp(t, keepsOld)
  const { call, user } = await aCaller(app, 'admin')
  const { user: other } = await aCaller(app)
  const start = Date.parse('2026-01-01T00:00:00Z')
  await app.db.insert(activity).values(
    Array.from({ length: 60 }, (_, n) => ({
      id: uuid(),
      at: new Date(start + Math.floor(n / 3) * 7_200_000), // three share each moment
      action: n % 2 ? 'auth.login' : 'user.update',
      outcome: n % 5 ? ('success' as const) : ('failure' as const),
      actorType: 'user' as const,
      actorId: n % 3 ? user.id : other.id,
      targetId: n % 4 ? user.id : other.id,
      source: 'api' as const
    }))
  )
  const everything = (await call('GET', '/api/admin/activity?limit=200')).json().items as Record<
    string,
    string
  >[]
  t.ok(everything.length > 60)
  const choices: [string, string, (item: Record<string, string>) => boolean][] = [
    ['action', 'auth.login', (item) => item.action === 'auth.login'],
    ['outcome', 'failure', (item) => item.outcome === 'failure'],
    ['actorId', user.id, (item) => item.actorId === user.id],
    ['targetId', other.id, (item) => item.targetId === other.id],
    ['from', '2026-01-01T12:00:00z', (item) => (item.at ?? '') >= '2026-01-01T12:00:00.000Z'],
    ['to', '2026-01-02T00:00:00+01:00', (item) => (item.at ?? '') < '2026-01-01T23:00:00.000Z']
  ]
  const found = []
  const expected = []
  for (let set = 0; set < 2 ** choices.length; set++) {
    const chosen = choices.filter((_, n) => set & (1 << n))
    const query = new URLSearchParams([
      ...chosen.map(([name, value]) => [name, value] as [string, string]),
      ['limit', '17'],
      ['sort', set % 2 ? 'at' : '-at']
    ])
    const walked = []
    let url: string | undefined = `/api/admin/activity?${query}`
    while (url) {
      const response = await call('GET', url)
      walked.push(...response.json().items)
      url = /^<(.*)>/.exec(String(response.headers.link))?.[1]
    }
    const chosenOnes = everything.filter((item) => chosen.every(([, , lets]) => lets(item)))
    const inOrder = set % 2 ? chosenOnes.toReversed() : chosenOnes
    found.push([String(query), walked.map((item) => item.id)])
    expected.push([String(query), inOrder.map((item) => item.id)])
  }
  t.same(found, expected)
})

t.test('an invalid filter is rejected by name', async (t) => {
  await rejectsQueries(t, call, '/api/admin/activity', [
    ['from=yesterday', '/query/from malformed'],
    ['from=2026-02-30T00:00:00Z', '/query/from malformed'],
    ['to=0000-01-01T00:00:00Z', '/query/to malformed'],
    ['to=2026-12-31T23:59:60Z', '/query/to malformed'],
    ['from=2026-01-31T09:30:00%2B01', '/query/from malformed'],
    ['to=2026-01-31T09:30:00-0100', '/query/to malformed'],
    ['outcome=maybe', '/query/outcome not-allowed'],
    ['actorId=me', '/query/actorId malformed'],
    ['targetId=', '/query/targetId too-short'],
    ['sort=action', '/query/sort not-allowed']
  ])
  t.same((await call('GET', '/api/admin/activity?action=no.such')).json(), {
    items: [],
    nextCursor: null
  })
})

t.test('a record of version 0.1 still shows the addresses before and after', async (t) => {
  const id = uuid()
  const details = {
    fields: ['email'],
    before: { email: 'a@b.example' },
    after: { email: 'c@d.example' }
  }
  await app.db.insert(activity).values({
    id,
    action: 'user.update',
    outcome: 'success',
    actorType: 'cli',
    source: 'cli',
    details
  })
  t.same((await call('GET', `/api/admin/activity/${id}`)).json().details, details)
})

t.test('the details of every action are declared in the document', async (t) => {
  // Records of every action can have the key; the others are still read, and no longer written.
  const others = ['actorKey', 'before', 'after']
  t.same(
    [...new Set(Object.values(actions).flatMap(({ details }) => details)), ...others].sort(),
    Object.keys(ActivityDetails.properties).sort()
  )
  const database = await testDatabase(t)
  await record(database.db, operator, 'auth.logout', { details: { password: 'secret' } as object })
  t.match(await database.db.select().from(activity), [{ details: {} }])
  t.notMatch(JSON.stringify(await database.db.select().from(activity)), /secret/)
})

t.test(
  'records past their retention period are deleted in batches, and others are kept',
  async (t) => {
    const { db } = await testDatabase(t)
    const aged = (days: number) => ({
      id: uuid(),
      at: sql`now() - make_interval(days => ${days}::int)`,
      action: 'auth.login',
      outcome: 'success' as const,
      actorType: 'anonymous' as const,
      source: 'api' as const
    })
    await db.insert(activity).values([...Array.from({ length: 25 }, () => aged(31)), aged(29)])
    for (const count of [10, 10, 5, 0]) {
      t.match(await deleteOld(db, oldActivity(30), 10), { deleted: count })
    }
    t.equal((await db.select().from(activity)).length, 1)
  }
)

t.test('a server deletes old records automatically', async (t) => {
  const database = await testDatabase(t)
  await database.db.insert(activity).values(
    Array.from({ length: 1050 }, () => ({
      id: uuid(),
      at: sql`now() - interval '8 days'`,
      action: 'auth.login',
      outcome: 'success' as const,
      actorType: 'anonymous' as const,
      source: 'api' as const
    }))
  )
  await database.db.delete(jobs)
  await ownApp(t, { ACTIVITY_RETENTION_DAYS: 7 }, database)
  await until(
    async () => (await database.db.select({ id: activity.id }).from(activity).limit(1)).length === 0
  )
  t.pass('they are deleted')
})
