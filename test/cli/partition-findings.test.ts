// Not on PGlite: it has no partitioned activity.

import t from 'tap'
import type { Db } from '../../db/engine.ts'
import { partitionFinding } from '../../src/commands/schema-findings.ts'
import { testDatabase } from '../support/app.ts'
import { partitionActivity } from '../support/partitions.ts'

t.test('many records are reported, and none where the engine estimates nothing', async (t) => {
  const { db } = await testDatabase(t)
  const findingFor = (plan: string) =>
    partitionFinding(
      Object.assign(Object.create(db) as Db, { execute: async () => [{ 'QUERY PLAN': plan }] })
    )
  t.match(await findingFor('Seq Scan on activity  (cost=0.00..9.00 rows=60000000 width=0)'), {
    result: 'warning',
    finding: 'some 60 million records, not partitioned',
    todo: 'Consider pg_partman: docs/do/partition.md'
  })
  t.match(await findingFor('scan: activity'), { result: 'ok', finding: 'not partitioned' })
  t.match(await partitionFinding(db), { result: 'ok' })
})

t.test('a partitioned activity that runs out of months is reported', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await partitionActivity(database)
  const months = await partitionFinding(db)
  t.match(months, { result: 'ok', finding: /^partitioned until .*-01, 12 months ahead$/ })

  await db.execute('alter table activity_before add constraint activity_bound check (true)')
  t.match(await partitionFinding(db), {
    result: 'problem',
    todo: /ALTER TABLE activity_before DROP CONSTRAINT activity_bound;/
  })
  await db.execute('alter table activity_before drop constraint activity_bound')

  const now = new Date()
  const third = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2)).toISOString()
  await db.execute(`drop table activity_${third.slice(0, 7).replace('-', '_')}`)
  t.match(await partitionFinding(db), {
    result: 'warning',
    finding: `partitioned until ${third.slice(0, 10)}, 1 months ahead, and without pg_partman none is created`,
    todo: /docs\/do\/partition\.md$/
  })
})
