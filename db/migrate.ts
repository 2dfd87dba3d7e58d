import { max, sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { bigint, pgSchema, text } from 'drizzle-orm/pg-core'
import type { Db } from './engine.ts'

// The table and its schema as Drizzle's own migrator names them.
const appliedMigrations = pgSchema('drizzle').table('__drizzle_migrations', {
  hash: text('hash').notNull(),
  createdAt: bigint('created_at', { mode: 'number' })
})

/** When the newest applied migration was written, in milliseconds since 1970; 0 for none. */
export async function newestMigration(db: Db) {
  const [row] = await db.select({ at: max(appliedMigrations.createdAt) }).from(appliedMigrations)
  return row?.at ?? 0
}

/**
 * Applies pending migrations in the order of the journal, each in a transaction with its record.
 * A migration that builds indexes concurrently runs outside of a transaction, so that the version
 * before can write meanwhile; what a failed attempt left is cleaned up first.
 * @param db to a database that no other process is migrating
 * @param concurrently false for a database of one connection, where it would gain nothing
 */
export async function applyMigrations(db: Db, folder: string, concurrently: boolean) {
  await db.execute('create schema if not exists drizzle')
  await db.execute(
    'create table if not exists drizzle.__drizzle_migrations ' +
      '(id serial primary key, hash text not null, created_at bigint)'
  )
  const newest = await newestMigration(db)
  for (const migration of readMigrationFiles({ migrationsFolder: folder })) {
    const { sql: statements, hash, folderMillis: createdAt } = migration
    if (createdAt <= newest) continue
    const record = (tx: Db) => tx.insert(appliedMigrations).values({ hash, createdAt })
    if (isConcurrent(statements) && concurrently) {
      for (const statement of statements) await buildIndex(db, statement)
      await record(db)
    } else {
      await db.transaction(async (tx) => {
        for (const statement of statements) {
          await tx.execute(statement.replace(concurrentIndex, '$1'))
        }
        await record(tx)
      })
    }
  }
}

/** As drizzle-kit writes it for an index that the schema declares with `.concurrently()`. */
const concurrentIndex = /^(\s*CREATE (?:UNIQUE )?INDEX) CONCURRENTLY(?= "(\w+)")/

/** Throws for a mixture: outside of a transaction, other statements cannot be tried again. */
function isConcurrent(statements: string[]) {
  const indexes = statements.filter((statement) => concurrentIndex.test(statement))
  if (indexes.length > 0 && indexes.length < statements.length) {
    throw new Error('a migration that builds an index concurrently must do nothing else')
  }
  return indexes.length > 0
}

/** Does nothing when the index is there; an invalid one is what a failed attempt left. */
async function buildIndex(db: Db, statement: string) {
  const name = `"${concurrentIndex.exec(statement)?.[2]}"`
  const [found] = await db
    .select({ valid: sql<boolean>`indisvalid` })
    .from(sql`pg_index`)
    .where(sql`indexrelid = to_regclass(${name})`)
  if (found?.valid) return
  if (found) await db.execute(`drop index concurrently ${name}`)
  await db.execute(statement)
}
