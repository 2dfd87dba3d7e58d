import { setTimeout as sleep } from 'node:timers/promises'
import { max, sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { bigint, pgSchema, text } from 'drizzle-orm/pg-core'
import type { Db, OnWait } from './engine.ts'
import { databaseCode, isRetryable } from './errors.ts'

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
        // As text, because SET takes no parameters. The role may have limits of its own.
        await tx.execute(`set local lock_timeout = ${lockTimeout}`)
        await tx.execute('set local statement_timeout = 0')
        for (const statement of statements) {
          await runIn(tx, statement.replace(concurrentIndex, '$1'))
        }
        await record(tx)
      }
      await waitUntil(
        () => succeeds(db.transaction(apply)),
        () => onWait('transactions that use the tables it changes'),
        lockPause
      )
    }
  }
}

/**
 * Milliseconds that a statement waits for its lock. Every request that uses the table queues behind
 * it, and session checks have a second.
 */
const lockTimeout = 300
/** Milliseconds until the next attempt, in which these requests run. */
const lockPause = 1000

/** False when a lock was not free, or a deadlock was found. */
async function succeeds(migration: Promise<void>) {
  try {
    await migration
    return true
  } catch (error) {
    if (databaseCode(error) === '55P03' || isRetryable(error)) return false
    throw error
  }
}

/** The form in which drizzle-kit writes an index that is declared with `.concurrently()`. */
const concurrentIndex = /^(\s*(?:CREATE (?:UNIQUE )?|DROP )INDEX) CONCURRENTLY(?= "(\w+)")/

/**
 * Statements for trigrams, which some engines do not have, or not in an index of two columns. The
 * portal works without them. The errors are: the feature, the operator class or the form of index
 * is not supported; the files of the extension are missing, or the role may not create it.
 */
const optional: [statement: RegExp, errors: RegExp][] = [
  [/CREATE EXTENSION IF NOT EXISTS pg_trgm/, /^(0A000|58P01|42501)$/],
  [/gin_trgm_ops/, /^(0A000|42704|42804)$/]
]
const isOptional = (statement: string) => optional.some(([form]) => form.test(statement))
const isUnsupported = (statement: string, error: unknown) =>
  optional.some(([form, errors]) => form.test(statement) && errors.test(databaseCode(error) ?? ''))

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

/**
 * Does nothing when the index exists, or is gone. An invalid one is still being built, by a server
 * process that has outlived the process it worked for, or was left by a failed attempt.
 */
export async function changeIndex(db: Db, statement: string, onWait: OnWait) {
  const name = `"${concurrentIndex.exec(statement)?.[2]}"`
  const find = async () => {
    const [found] = await db
      .select({
        valid: sql<boolean>`indisvalid`,
        building: sql<boolean>`exists (
          select from pg_stat_progress_create_index as progress
          where progress.index_relid = pg_index.indexrelid and datname = current_database())`
      })
      .from(sql`pg_index`)
      .where(sql`indexrelid = to_regclass(${name})`)
    return found
  }
  let found: Awaited<ReturnType<typeof find>>
  const isBuilt = async () => {
    found = await find()
    return !found?.building
  }
  await waitUntil(isBuilt, () => onWait(`another process that builds ${name}`))
  const dropping = /^\s*DROP/.test(statement)
  if (found?.valid && !dropping) return
  if (found) await db.execute(`drop index concurrently ${name}`)
  if (dropping) return
  await db.execute(statement).catch((error: unknown) => {
    if (!isUnsupported(statement, error)) throw error
  })
}

/** Milliseconds of waiting before `onWait` is called for the first time, and between its calls. */
const waitReport = { first: 5000, next: 60_000 }

/** @param pause milliseconds between two attempts */
export async function waitUntil(
  isDone: () => Promise<boolean | undefined>,
  onWait: () => void,
  pause = 100
) {
  let reportAt = performance.now() + waitReport.first
  while (!(await isDone())) {
    if (performance.now() > reportAt) {
      onWait()
      reportAt = performance.now() + waitReport.next
    }
    await sleep(pause)
  }
}
