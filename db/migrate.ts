import { readFileSync } from 'node:fs'
import path from 'node:path'
import { getTableName, sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { bigint, pgSchema, text } from 'drizzle-orm/pg-core'
import type { Db, OnWait } from './engine.ts'
import { databaseCode, DatabaseUnusable } from './errors.ts'
import { changeIndex, concurrentIndex, isOptional, isUnsupported } from './indexes.ts'
import { withRetries } from './schema-changes.ts'

/** A table of applied migrations, in the form of Drizzle's own migrator. */
const journalNamed = (name: string) =>
  pgSchema('drizzle').table(name, {
    hash: text('hash').notNull(),
    createdAt: bigint('created_at', { mode: 'number' })
  })
type Journal = ReturnType<typeof journalNamed>

const portalJournal = journalNamed('__drizzle_migrations')
/** The migrations of the app that is built on the portal. */
export const appJournal = journalNamed('__app_migrations')
const missingTable = new Set(['42P01', '3F000'])

/** The migrations of a folder in the order of its journal, each with its name. */
export function readMigrations(folder: string) {
  const text = new TextDecoder('utf-8', { fatal: true })
  const journal = text.decode(readFileSync(path.join(folder, 'meta/_journal.json')))
  const { entries } = JSON.parse(journal) as { entries: { tag: string }[] }
  return readMigrationFiles({ migrationsFolder: folder }).map((migration, n) => ({
    ...migration,
    name: entries[n]?.tag ?? migration.hash
  }))
}

/**
 * Returns those that the database lacks. The hash of its text identifies a migration, not its time:
 * one that was written later may have been applied earlier. Of two with the same text each counts.
 */
export async function withoutApplied<M extends { hash: string }>(
  db: Db,
  migrations: readonly M[],
  journal = portalJournal
) {
  const applied = new Map<string, number>()
  for (const { hash } of await readJournal(db, journal)) {
    applied.set(hash, (applied.get(hash) ?? 0) + 1)
  }
  return migrations.filter(({ hash }) => {
    const left = applied.get(hash) ?? 0
    applied.set(hash, left - 1)
    return left < 1
  })
}

/** The applied migrations. Before the first one there is no table. */
export async function readJournal(db: Db, journal: Journal) {
  try {
    return await db.select().from(journal)
  } catch (error) {
    if (missingTable.has(databaseCode(error) ?? '')) return []
    throw error
  }
}

export async function createJournal(db: Db, journal: Journal) {
  await db.execute('create schema if not exists drizzle')
  await db.execute(
    `create table if not exists drizzle.${getTableName(journal)} ` +
      '(id serial primary key, hash text not null, created_at bigint)'
  )
}

/**
 * Applies missing migrations in the order of the journal, while instances of the previous version
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
  await createJournal(db, portalJournal)
  for (const migration of await withoutApplied(db, readMigrations(folder))) {
    const { sql: statements, hash, folderMillis: createdAt } = migration
    const record = (tx: Db) => tx.insert(portalJournal).values({ hash, createdAt })
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
      await withRetries(db, apply, onWait)
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

const isTable = (schema: string, name: string) => sql`exists (select 1 from pg_class
  join pg_namespace n on n.oid = relnamespace where nspname = ${schema} and relname = ${name})`

/** The settings that a database must have, which its owner decides. */
export async function readSetup(db: Db) {
  const [setup] = await db
    .select({
      role: sql<string>`quote_ident(current_user)`,
      encoding: sql<string | null>`current_setting('server_encoding', true)`,
      searchPath: sql<string>`current_setting('search_path')`,
      /** Where new tables go; null if no schema of the path exists. */
      schema: sql<string | null>`current_schema()`,
      /** The schema of the portal's tables, if the path does not lead to them. */
      hiddenIn: sql<string | null>`(select min(quote_ident(nspname)) from pg_class c
        join pg_namespace n on n.oid = relnamespace
        where relname = 'outbox' and relkind in ('r', 'p') and to_regclass('outbox') is null
          and ${isTable('drizzle', '__drizzle_migrations')})`
    })
    .from(sql`(select 1) as one`)
  if (!setup) throw new Error('the database did not describe itself')
  return setup
}

interface Fault {
  finding: string
  todo: string
}

/** Undefined for UTF8, and for an engine that does not say. */
export const encodingFault = ({ role, encoding }: Setup): Fault | undefined =>
  encoding === null || encoding === 'UTF8'
    ? undefined
    : {
        finding: `the encoding is ${encoding}, and names of users need UTF8`,
        todo:
          'Create another database, and name it in DATABASE_URL: CREATE DATABASE portal_utf8 ' +
          `OWNER ${role} ENCODING 'UTF8' TEMPLATE template0; ` +
          'Then move the data with pg_dump and psql.'
      }

export function pathFault({ role, searchPath, schema, hiddenIn }: Setup): Fault | undefined {
  if (hiddenIn === null && schema !== null) return undefined
  const found =
    hiddenIn === null ? 'names no schema that exists' : `hides the tables, which are in ${hiddenIn}`
  return {
    finding: `search_path (${searchPath}) ${found}`,
    todo:
      `Run: ALTER ROLE ${role} SET search_path = ${hiddenIn ?? 'public'}; If it stays, remove ` +
      'search_path from DATABASE_URL, or from the settings of the role in this database.'
  }
}

type Setup = Awaited<ReturnType<typeof readSetup>>

/**
 * Before a migration. The search of users, which normalizes names, works in UTF8 only.
 * @throws DatabaseUnusable
 */
async function requireSetup(db: Db) {
  const setup = await readSetup(db)
  refuse(encodingFault(setup) ?? pathFault(setup))
}

/** @throws DatabaseUnusable when the tables exist, and cannot be found */
export const requirePath = async (db: Db) => refuse(pathFault(await readSetup(db)))

function refuse(fault: Fault | undefined) {
  if (fault) {
    throw new DatabaseUnusable(`The database cannot be used: ${fault.finding}. ${fault.todo}`)
  }
}
