import { sql } from 'drizzle-orm'
import t from 'tap'
import { findBrokenIndexes } from '../../db/index-check.ts'
import { tables } from '../../db/tables.ts'
import { getTableName } from 'drizzle-orm'
import { testDatabase } from '../support/app.ts'

t.test('a migrated database has every index of the schema', async (t) => {
  const { db } = await testDatabase(t)
  t.same(await findBrokenIndexes(db), [])
  const found = await db
    .select({ name: sql<string>`relname` })
    .from(sql`pg_class`)
    .where(sql`relkind = 'r' and relnamespace = 'public'::regnamespace`)
  t.same(found.map(({ name }) => name).sort(), tables.map(getTableName).sort())
})
