// Not on PGlite: it has no partitioned activity.

import { sql } from 'drizzle-orm'
import t from 'tap'
import { findBrokenIndexes } from '../../../db/index-check.ts'
import { changeIndex } from '../../../db/indexes.ts'
import { activity } from '../../../db/schema/activity.ts'
import { deleteOld } from '../../../src/domain/jobs/delete-batches.ts'
import { oldActivity } from '../../../src/domain/jobs/sweep.ts'
import { aCaller, ownApp, testDatabase } from '../../support/app.ts'
import { ago, partitionActivity, records } from '../../support/partitions.ts'

t.test('every list is the same when an earlier version has partitioned the table', async (t) => {
  const app = await ownApp(t)
  const { db } = app.database
  const { call, user } = await aCaller(app, 'admin')
  const mine = { actorId: user.id, targetId: user.id, outcome: 'failure' as const }
  await db
    .insert(activity)
    .values([...records(15, (n) => ago(n * 3)), ...records(15, (n) => ago(n * 2), mine)])
  const [{ id } = { id: '' }] = await db.select({ id: activity.id }).from(activity)
  const to = new Date().toISOString()
  const urls = [
    '/api/admin/activity?limit=200',
    '/api/admin/activity?limit=20&sort=at',
    '/api/admin/activity?action=auth.login&outcome=failure',
    `/api/admin/activity?actorId=${user.id}&action=auth.login&limit=10`,
    `/api/admin/activity?targetId=${user.id}&sort=at`,
    `/api/admin/activity?from=2020-01-01T00:00:00Z&to=${to}&limit=200`,
    `/api/admin/activity/${id}`,
    `/api/admin/activity/summary?bucket=day&to=${to}`,
    '/api/user/activity?limit=200'
  ]
  const read = async (url: string): Promise<unknown[]> => {
    const response = await call('GET', url)
    t.equal(response.statusCode, 200, url)
    const next = /^<(.*)>/.exec(String(response.headers.link))?.[1]
    const { nextCursor, ...body } = response.json()
    return next ? [body, ...(await read(next))] : [body]
  }
  const before = await Promise.all(urls.map(read))
  await partitionActivity(app.database)
  t.same(await Promise.all(urls.map(read)), before)

  const next = await call('POST', '/api/admin/permissions', { key: 'a:b' })
  t.equal(next.statusCode, 201, 'records can be written')
  t.equal(await db.$count(activity, sql`action = 'permission.create'`), 1)
})

t.test('records of a month without a partition are kept, listed and deleted', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await db.insert(activity).values([...records(15, () => ago(31)), ...records(5, () => ago(29))])
  await partitionActivity(database)
  await db.insert(activity).values([...records(3, () => ago(-90)), ...records(2, () => ago(-900))])
  t.equal(await db.$count(sql`activity_default`), 2)
  for (const count of [10, 5, 0]) {
    t.match(await deleteOld(db, oldActivity(30), 10), { deleted: count })
  }
  t.equal(await db.$count(activity), 10)
  t.match(await deleteOld(db, oldActivity(-1000), 20), { deleted: 10 })
})

t.test('an index is built and dropped concurrently for each partition', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await partitionActivity(database)
  t.same(await findBrokenIndexes(db), [])
  await db.execute('alter table activity_before rename to "activity 2020-01"')
  const change = (statement: string) =>
    database.exclusively((db) => changeIndex(db, statement, () => {}))
  const found = async () => {
    const rows = await db
      .select({ name: sql<string>`indexname` })
      .from(sql`pg_indexes`)
      .where(sql`indexname like '%source_at' and tablename in
        ('activity', 'activity 2020-01', 'activity_default')`)
      .orderBy(sql`indexname`)
    return rows.map(({ name }) => name)
  }
  const create =
    'CREATE INDEX CONCURRENTLY "activity_source_at" ON "activity" USING btree ("source","at");'
  await change(create)
  await change(create)
  t.same((await found()).sort(), [
    'activity 2020-01_activity_source_at',
    'activity_default_activity_source_at',
    'activity_source_at'
  ])
  await change('DROP INDEX CONCURRENTLY "activity_source_at";')
  t.same(await found(), [])
})
