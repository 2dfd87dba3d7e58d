import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { createMigration } from '../../../src/domain/access/registry.ts'
import { testDatabase } from '../../support/app.ts'

t.test('a database that is up to date is left as it is', async (t) => {
  const database = await testDatabase(t)
  const { attempt } = createMigration(
    { ...database, migrate: () => Promise.reject(new Error('migrates')) },
    () => t.fail('waits')
  )
  t.equal(await attempt(), true)
})

t.test('an unavailable database is reported once, and no longer tried after the end', async (t) => {
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

t.test('a database that becomes available is migrated', async (t) => {
  const database = await testDatabase(t)
  const away = await openDatabase('postgres://localhost:1/portal', { poolMax: 1 })
  t.teardown(() => away.close())
  let looks = 0
  const { keepTrying } = createMigration(
    { ...database, missingMigrations: () => (looks++ === 0 ? away : database).missingMigrations() },
    () => {}
  )
  await keepTrying(new AbortController().signal)
  t.equal(looks, 2)
})
