import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { readCoverage, readParts } from '../../../db/partitions/parts.ts'
import { activity } from '../../../db/schema/activity.ts'
import { oldActivity } from '../../../src/domain/jobs/sweep.ts'
import { deleteOld } from '../../../src/domain/jobs/delete-batches.ts'
import { aCaller, ownApp, testDatabase, testDatabaseUrl, until } from '../../support/app.ts'
import { freePort } from '../../support/postgres.ts'
import { ago, ids, indexes, partition, records } from '../../support/partitions.ts'

t.test('every list is the same before and after', async (t) => {
  const port = await freePort()
  const app = await ownApp(t, { METRICS_PORT: port })
  const { database } = app
  const { call, user } = await aCaller(app, 'admin')
  const mine = { actorId: user.id, targetId: user.id, outcome: 'failure' as const }
  await database.db
    .insert(activity)
    .values([...records(15, (n) => ago(n * 3)), ...records(15, (n) => ago(n * 2), mine)])
  const [{ id } = { id: '' }] = await database.db.select({ id: activity.id }).from(activity)
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
  const metrics = async () =>
    (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
      .split('\n')
      .filter((line) => line.startsWith('portal_activity_'))
  const before = await Promise.all(urls.map(read))
  t.same(await metrics(), [])
  t.match(await partition(database), { converted: true, created: [], dropped: [] })
  t.same(await Promise.all(urls.map(read)), before)
  t.match(await readCoverage(database.db), { monthsLeft: 12, strays: 0, unfinished: false })
  t.same(await metrics(), ['portal_activity_months_left 12', 'portal_activity_strays 0'])
  t.match(await partition(database), { converted: false, created: [], dropped: [] })

  const next = await call('POST', '/api/admin/permissions', { key: 'a:b' })
  t.equal(next.statusCode, 201, 'records can be written')
  t.equal(await database.db.$count(activity, sql`action = 'permission.create'`), 1)
})

t.test('a partitioning that is interrupted at any step continues', async (t) => {
  const database = await testDatabase(t)
  await database.db.insert(activity).values(records(20, ago))
  const before = await ids(database)
  const interruptedAt = async (step: number) => {
    let steps = 0
    const error = new Error('interrupted')
    await t.rejects(
      partition(database, {}, () => {
        if (++steps === step) throw error
      }),
      error
    )
  }
  await interruptedAt(1)
  await interruptedAt(2)
  await interruptedAt(3)
  t.equal(await readCoverage(database.db), undefined, 'a failure leaves no limit of time behind')
  // A kill does.
  await database.db.execute(
    `alter table activity add constraint activity_bound check (at < '2999-01-01') not valid`
  )
  t.match(await readCoverage(database.db), { unfinished: true, monthsLeft: Number })
  await interruptedAt(4)
  t.match(await partition(database), { converted: false, moved: 0 }, 'only statistics are missing')
  t.same(await ids(database), before)
  t.match(await readCoverage(database.db), { monthsLeft: 12, unfinished: false })
})

t.test('several commands at once partition it once', async (t) => {
  const database = await testDatabase(t)
  const runs = await Promise.all([1, 2, 3].map(() => partition(database)))
  t.same(runs.map(({ converted }) => converted).sort(), [false, false, true])
  t.equal((await readParts(database.db))?.at(-1)?.name, 'activity_default')
})

t.test('it waits for a long transaction without a lock that others wait for', async (t) => {
  const url = await testDatabaseUrl(t)
  const database = await openDatabase(url)
  const reader = postgres(url, { max: 1 })
  t.teardown(() => Promise.all([database.close(), reader.end()]))
  await reader`begin`
  // A simple query: a prepared one would hold a snapshot, for which the new indexes would wait.
  await reader.unsafe('select from activity')
  const messages: string[] = []
  const partitioning = partition(database, {}, (message) => messages.push(message))
  const waits = sql`relation = to_regclass('activity') and not granted
    and database = (select oid from pg_database where datname = current_database())`
  let waiting = 0
  const isReported = async () => {
    waiting += await database.db.$count(sql`pg_locks`, waits)
    return messages.some((each) => /^Waiting for transactions .* activity: pid \d+/.test(each))
  }
  await Promise.race([partitioning, until(isReported)])
  t.equal(waiting, 0)
  t.ok((await indexes(database, 'activity')).includes('activity_before_id'))
  await database.db.insert(activity).values(records(1, () => new Date()))
  t.equal(await readParts(database.db), undefined)
  await reader`commit`
  t.match(await partitioning, { converted: true })
})

t.test(
  'months are dropped when all their records are too old, and only when it is certain',
  async (t) => {
    const database = await testDatabase(t)
    await partition(database)
    const { db } = database
    await db.execute('alter table activity detach partition activity_before')
    for (const month of ['2020-01', '2020-02', '2020-03']) {
      await db.execute(
        `create table "activity_${month}" partition of activity
      for values from ('${month}-01') to ('${month.replace(/\d$/, (n) => String(Number(n) + 1))}-01')`
      )
    }
    await db.insert(activity).values(records(1, () => new Date('2020-02-29T23:59:59.999Z')))
    t.match(await partition(database, { retention: { days: 180, certain: false } }), {
      dropped: ['activity_2020-01', 'activity_2020-03'],
      kept: ['activity_2020-02']
    })
    const days = (Date.now() - Date.parse('2020-02-15')) / 86_400_000
    t.match(await partition(database, { retention: { days, certain: true } }), { dropped: [] })
    t.match(await partition(database), { dropped: ['activity_2020-02'], kept: [] })
    t.equal(await db.$count(activity), 0)
  }
)

t.test('the server deletes old records of a partitioned activity in batches', async (t) => {
  const database = await testDatabase(t)
  await database.db
    .insert(activity)
    .values([...records(15, () => ago(31)), ...records(5, () => ago(29))])
  await partition(database)
  await database.db.insert(activity).values(records(3, () => ago(-90)))
  for (const count of [10, 5, 0]) {
    t.match(await deleteOld(database.db, oldActivity(30), 10), { deleted: count })
  }
  t.equal(await database.db.$count(activity), 8)
})
