import t from 'tap'
import type { Db } from '../../db/engine.ts'
import { partitionFinding } from '../../src/commands/schema-findings.ts'
import { testDatabase } from '../support/app.ts'

t.test('many records are reported, and none where the engine estimates nothing', async (t) => {
  const { db } = await testDatabase(t)
  const findingFor = (plan: string) =>
    partitionFinding(
      Object.assign(Object.create(db) as Db, { execute: async () => [{ 'QUERY PLAN': plan }] })
    )
  t.match(await findingFor('Seq Scan on activity  (cost=0.00..9.00 rows=60000000 width=0)'), {
    result: 'warning',
    finding: 'some 60 million records, not partitioned',
    todo: 'Consider: portal activity partition'
  })
  t.match(await findingFor('scan: activity'), { result: 'ok', finding: 'not partitioned' })
  t.match(await partitionFinding(db), { result: 'ok' })
})
