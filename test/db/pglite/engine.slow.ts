import { rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../../db/client.ts'
import { syncRegistry } from '../../../src/domain/access/registry.ts'
import { temporaryFolder } from '../../support/app.ts'

t.test('a partially created data directory is created again', async (t) => {
  const directory = path.join(temporaryFolder(t), 'db')
  const url = `pglite:${directory}`
  await (await openDatabase(url)).close()
  // PG_VERSION comes after all tables, so this is the state that a killed process leaves.
  rmSync(path.join(directory, 'PG_VERSION'))
  truncateSync(path.join(directory, 'global/pg_control'), 100)
  rmSync(path.join(directory, 'base/1'), { recursive: true })

  const database = await openDatabase(url)
  await database.migrate(syncRegistry)
  t.same(await database.missingMigrations(), [])
  await database.close()
})

t.test('a data directory with a database is opened unchanged', async (t) => {
  const url = `pglite:${path.join(temporaryFolder(t), 'db')}`
  const first = await openDatabase(url)
  await first.db.execute(sql`create table kept (number int)`)
  await first.db.execute(sql`insert into kept values (42)`)
  await first.close()
  const second = await openDatabase(url)
  const { number } = (await second.db.select({ number: sql`number` }).from(sql`kept`))[0] ?? {}
  t.equal(number, 42)
  await second.close()
})

t.test('new data directories are unpacked instead of initialized', async (t) => {
  // initdb would give each one a separate identifier.
  const identifiers = []
  for (const name of ['one', 'two']) {
    const { db, close } = await openDatabase(`pglite:${path.join(temporaryFolder(t), name)}`)
    const rows = await db.select({ id: sql`system_identifier` }).from(sql`pg_control_system()`)
    identifiers.push(String(rows[0]?.id))
    await close()
  }
  t.match(identifiers[0], /^\d{15,}$/)
  t.equal(identifiers[0], identifiers[1])
})
