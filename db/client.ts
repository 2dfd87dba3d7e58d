import path from 'node:path'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { EpochRow } from './epochs.ts'
import { databaseCode, DatabaseUnusable } from './errors.ts'
import { newestMigration } from './migrate.ts'

/** Either engine, or a transaction on it. */
export type Db = PgDatabase<PgQueryResultHKT>

/** What each engine brings; openDatabase makes a Database of it. */
export interface Engine {
  db: Db
  /**
   * The same database for what every session check waits for: on connections of their own, with one
   * second for a statement. A statement that selects `in_recovery` is rejected when it reached a standby.
   */
  checkDb: Db
  /** For people: the engine and where its data is, without credentials. */
  label: string
  embedded: boolean
  /** Embedded, or a server on this machine. */
  local: boolean
  /**
   * Applies pending migrations, then calls `seed`, while no other process does either.
   * @param onWait called after five seconds of waiting for another process, then each minute
   */
  migrate(folder: string, seed: (db: Db) => Promise<void>, onWait?: () => void): Promise<void>
  /**
   * The value of every scope and the clock, of one moment after the call and from the primary; in a second
   * or not at all.
   * @param known the digest of the values that the caller has
   */
  readEpochs(known: string): Promise<EpochRow>
  /** Statements and transactions under way, those that wait for a connection among them. */
  load(): number
  close(): Promise<void>
}

export interface Database extends Omit<Engine, 'migrate'> {
  migrate(seed: (db: Db) => Promise<void>, onWait?: () => void): Promise<void>
  /** True when the schema is at least the one this build was made with. */
  isMigrated(): Promise<boolean>
}

export interface DatabaseOptions {
  poolMax?: number
  /** False behind a pooler that knows no prepared statements. */
  prepare?: boolean
  /** PostgreSQL only: a direct connection whose role may change the schema. */
  migrationUrl?: string
  /** For tests only: transactions have the server's default isolation level. */
  serverIsolation?: boolean
}

const migrationsFolder = path.join(import.meta.dirname, 'migrations')
const missingTable = new Set(['42P01', '3F000'])

/**
 * Opens what `url` names: `pglite:DIRECTORY`, `pglite:memory` or `postgres://…`.
 * PGlite opens (and locks) at once and throws DatabaseUnusable; PostgreSQL connects with the first query.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const engine = await openEngine(url, options)
  const newest = readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0
  return {
    ...engine,
    migrate: (seed, onWait) => engine.migrate(migrationsFolder, seed, onWait),
    async isMigrated() {
      try {
        return (await newestMigration(engine.db)) >= newest
      } catch (error) {
        if (missingTable.has(databaseCode(error) ?? '')) return false
        throw error
      }
    }
  }
}

async function openEngine(url: string, options: DatabaseOptions): Promise<Engine> {
  // Only the engine in use is loaded: the other's is time at every start and memory for good.
  if (url.startsWith('pglite:')) {
    return (await import('./pglite/engine.ts')).openPglite(url.slice('pglite:'.length))
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    return (await import('./postgres/engine.ts')).openPostgres(url, options)
  }
  throw new DatabaseUnusable('DATABASE_URL must begin with postgres:// or pglite:')
}
