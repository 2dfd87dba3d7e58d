import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { createMigration } from '../../../src/domain/access/migration.ts'
import { testDatabase } from '../../helpers.ts'

t.test('a database that is up to date is left as it is', async (t) => {
  const { attempt } = createMigration(await testDatabase(t), () => t.fail('waits'))
  t.equal(await attempt(), true)
})

t.test('an unavailable database is reported once, and tried again until the end', async (t) => {
  const nobodyListens = 'postgres://localhost:1/portal'
  const database = await openDatabase(nobodyListens, { poolMax: 1 })
  t.teardown(() => database.close())
  const warnings: unknown[][] = []
  const { attempt, keepTrying } = createMigration(database, (...warning) => warnings.push(warning))
  t.equal(await attempt(), false)
  t.equal(await attempt(), false)
  t.equal(warnings.length, 1)
  t.match(warnings[0], [/unavailable/, String])
  const ending = new AbortController()
  const trying = keepTrying(ending.signal)
  ending.abort()
  await t.resolves(trying)
})
