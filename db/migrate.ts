import { max } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { bigint, pgSchema, text } from 'drizzle-orm/pg-core'
import type { Db, OnWait } from './engine.ts'
import { changeIndex, concurrentIndex, isOptional, isUnsupported } from './indexes.ts'
import { requireSetup } from './setup.ts'
import { patiently } from './waiting.ts'

// The names are those of Drizzle's own migrator.
const appliedMigrations = pgSchema('drizzle').table('__drizzle_migrations', {
  hash: text('hash').notNull(),
  createdAt: bigint('created_at', { mode: 'number' })
})

/** The time of the newest applied migration, in milliseconds since 1970; 0 for none. */
export async function newestMigration(db: Db) {
  const [row] = await db.select({ at: max(appliedMigrations.createdAt) }).from(appliedMigrations)
  return row?.at ?? 0
}

/**
 * Applies pending migrations in the order of the journal, while instances of the previous version
 * read and write: each in a transaction with its record, tried again until it gets its locks. One
 * that builds or drops indexes concurrently runs outside of a transaction. It removes the invalid
 * index of a failed attempt first. What only makes the search of users fast is left out where it is
 * not supported.
 * @param db a database that no other process is migrating
 * @param concurrently false for an engine with one connection, where it has no benefit
 */
export async function applyMigrations(
  db: Db,
  folder: string,
  concurrently: boolean,
  onWait: OnWait = () => {}
) {
  await requireSetup(db)
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
      for (const statement of statements) await changeIndex(db, statement, onWait)
      await record(db)
    } else {
      const apply = async (tx: Db) => {
        for (const statement of statements) {
          await runIn(tx, statement.replace(concurrentIndex, '$1'))
        }
        await record(tx)
      }
      await patiently(db, apply, onWait)
    }
  }
}

/** A failed statement would otherwise end the transaction. */
async function runIn(tx: Db, statement: string) {
  if (!isOptional(statement)) {
    await tx.execute(statement)
    return
  }
  await tx.execute('savepoint optional')
  try {
    await tx.execute(statement)
  } catch (error) {
    if (!isUnsupported(statement, error)) throw error
    await tx.execute('rollback to savepoint optional')
  }
}

/** Throws for a mixture: other statements cannot be repeated outside of a transaction. */
function isConcurrent(statements: string[]) {
  const indexes = statements.filter((statement) => concurrentIndex.test(statement))
  if (indexes.length > 0 && indexes.length < statements.length) {
    throw new Error('a migration that changes an index concurrently must do nothing else')
  }
  return indexes.length > 0
}
