import { sql } from 'drizzle-orm'
import type { Db } from './engine.ts'

/**
 * SQL statements that create the missing indexes of the search of users. Migrations leave these
 * indexes out where the extension pg_trgm is missing, or the engine has no indexes of trigrams.
 */
export async function missingSearchIndexes(db: Db): Promise<string[]> {
  const missing = await db
    .select({ name: sql<string>`name`, column: sql<string>`indexed` })
    .from(
      sql`(values ('users_search_name', 'name'), ('users_search_email', 'email_normalized'))
        as wanted (name, indexed)`
    )
    .where(
      sql`not exists (select 1 from pg_index where indexrelid = to_regclass(name) and indisvalid)`
    )
  return missing.flatMap(({ name, column }) => [
    `DROP INDEX CONCURRENTLY IF EXISTS ${name};`,
    `CREATE INDEX CONCURRENTLY ${name} ON users USING gin (${column} gin_trgm_ops);`
  ])
}
