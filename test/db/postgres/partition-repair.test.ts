// Not on PGlite: it needs several connections.

import { sql } from 'drizzle-orm'
import t from 'tap'
import { changeIndex } from '../../../db/indexes.ts'
import { readCoverage, readParts } from '../../../db/partitions/parts.ts'
import { activity } from '../../../db/schema/activity.ts'
import { testDatabase } from '../../support/app.ts'
import { readPage } from '../../support/documents.ts'
import { ago, ids, indexes, partition, partOf, records } from '../../support/partitions.ts'

t.test('records at the border of a month have a place, and others are repaired', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await partition(database)
  const next = (await readParts(db))?.[1]
  if (!next?.from) throw new Error('there is no month')
  const times = [new Date(next.from.getTime() - 1), next.from, new Date('2999-12-31T23:59:59.999Z')]
  const written = records(3, (n) => times[n])
  await db.insert(activity).values(written)
  const places = () => Promise.all(written.map(({ id }) => partOf(database, id)))
  t.same(await places(), ['activity_before', next.name, 'activity_default'])
  t.match(await readCoverage(db), { strays: 1 })

  t.match(await partition(database), { moved: 0 })
  t.match(await partition(database, { repair: true }), { moved: 1 })
  t.same(await places(), ['activity_before', next.name, 'activity_2999_12'])
  t.match(await readCoverage(db), { strays: 0, monthsLeft: 12 })
})

t.test('many records of the default partition stay where they are, in a partition', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await partition(database)
  await db.execute('alter table activity detach partition activity_before')
  await db.execute('drop table activity_before')
  const newer = ((await readParts(db)) ?? []).filter(({ to }) => to)
  for (const { name } of newer) await db.execute(`drop table ${name}`)
  // As after a year without new months: a partition of the past, and everything since then.
  await db.execute(
    `create table activity_2020_01 partition of activity for values from (minvalue) to ('2020-02-01')`
  )
  await db.execute(
    `insert into activity (id, at, action, outcome, actor_type, source)
    select gen_random_uuid(), '2020-02-01'::timestamptz + n * interval '6 hours', 'auth.login',
      'success', 'system', 'job' from generate_series(1, 6000) as n`
  )
  const strays = records(1, () => new Date('2999-12-31T23:59:59.999Z'))
  await db.insert(activity).values(strays)
  const before = await ids(database)
  t.match(await readCoverage(db), { monthsLeft: 0, strays: 1000 })
  const days = { retention: { days: 36_500, certain: true } }
  t.match(await partition(database, days), { created: [] }, 'none is looked for among many')

  let steps = 0
  const failing = partition(database, { repair: true, ...days }, () => {
    if (++steps === 1) throw new Error('interrupted')
  })
  await t.rejects(failing, /interrupted/)
  t.same(await ids(database), before, 'nothing is lost')
  t.match(await partition(database, { repair: true, ...days }), { moved: 6001 })
  t.same(await ids(database), before)
  t.match(await readCoverage(db), { strays: 0, monthsLeft: 12, unfinished: false })
  t.equal(await partOf(database, strays[0]?.id ?? ''), 'activity_2999_12')
  t.match((await readParts(db))?.[1], { name: /^activity_until_/, from: new Date('2020-02-01') })
})

t.test('records that an interrupted repair has set aside are put back', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await partition(database)
  const written = records(3, ago)
  await db.insert(activity).values(written)
  const before = await ids(database)
  await db.execute('create table activity_waiting (like activity)')
  await db.execute(`with moved as (delete from activity returning *)
    insert into activity_waiting select * from moved`)
  t.same(await ids(database), [])
  await partition(database)
  t.same(await ids(database), before)
})

t.test('an index is built and dropped concurrently for each partition', async (t) => {
  const database = await testDatabase(t)
  await partition(database)
  await database.db.execute('alter table activity_before rename to "activity 2020-01"')
  const change = (statement: string) =>
    database.exclusively((db) => changeIndex(db, statement, () => {}))
  const create =
    'CREATE INDEX CONCURRENTLY "activity_source_at" ON "activity" USING btree ("source","at");'
  await change(create)
  await change(create)
  const names = ['activity', 'activity 2020-01', 'activity_default']
  const found = await Promise.all(names.map((name) => indexes(database, name)))
  t.same(
    found.map((each) => each.filter((name) => name.includes('source_at'))),
    [
      ['activity_source_at'],
      ['activity 2020-01_activity_source_at'],
      ['activity_default_activity_source_at']
    ]
  )
  await change('DROP INDEX CONCURRENTLY "activity_source_at";')
  t.notMatch((await Promise.all(names.map((name) => indexes(database, name)))).join(), 'source_at')
})

t.test('the documented statements make one table of it again', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const describe = async () => [
    await indexes(database, 'activity'),
    await db.execute(
      sql`select conname, pg_get_constraintdef(oid) from pg_constraint
        where conrelid = to_regclass('activity') order by conname`
    ),
    await db.execute(
      sql`select column_name, data_type, is_nullable, column_default
        from information_schema.columns where table_name = 'activity' order by ordinal_position`
    )
  ]
  await db.insert(activity).values(records(20, ago))
  const [before, stored] = [await describe(), await ids(database)]
  await partition(database)
  const page = readPage('docs/do/partition.md')
  const back = /```sql going back\n([^]*?)```/.exec(page)?.[1] ?? ''
  const statements = back.split(';').filter((each) => !/^\s*(BEGIN|COMMIT)?\s*$/.test(each))
  t.ok(statements.length > 8)
  await db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(statement)
  })
  t.same(await describe(), before)
  t.same(await ids(database), stored)
  t.match(await partition(database), { converted: true }, 'and it can be partitioned again')
})

t.test('repair says which month has a partition for a part of it, and loses nothing', async (t) => {
  const database = await testDatabase(t)
  await partition(database)
  await database.db.execute(
    "create table half partition of activity for values from ('2999-12-01') to ('2999-12-10')"
  )
  await database.db.insert(activity).values(records(1, () => new Date('2999-12-20T00:00:00.000Z')))
  const before = await ids(database)
  await t.rejects(partition(database, { repair: true }), {
    name: 'PartitionProblem',
    code: 'overlapping-partition',
    message: /activity_2999_12/
  })
  t.same(await ids(database), before)
})
