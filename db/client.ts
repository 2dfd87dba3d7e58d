import path from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { DatabaseOptions, Db, Engine, OnWait } from './engine.ts'
import { databaseCode, DatabaseUnusable } from './errors.ts'
import { newestMigration, requirePath } from './migrate.ts'

export interface Database extends Omit<Engine, 'migrate'> {
  migrate(seed: (db: Db) => Promise<void>, onWait?: OnWait): Promise<void>
  /** True when the database has all migrations of this build, and maybe those of a newer one. */
  isMigrated(): Promise<boolean>
}

const migrationsFolder = path.join(import.meta.dirname, 'migrations')
const missingTable = new Set(['42P01', '3F000'])

/**
 * Opens a database: `pglite:DIRECTORY`, `pglite:memory` or `postgres://…`. PGlite opens and locks
 * its directory at once. PostgreSQL connects with the first query.
 * @throws DatabaseUnusable when the URL is wrong or the directory cannot be opened
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const engine = await openEngine(url, options)
  const newest = readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0
  return {
    ...engine,
    migrate: (seed, onWait) => engine.migrate(migrationsFolder, seed, onWait),
    async isMigrated() {
      try {
        const isMigrated = (await newestMigration(engine.db)) >= newest
        if (isMigrated) await requirePath(engine.db)
        return isMigrated
      } catch (error) {
        if (missingTable.has(databaseCode(error) ?? '')) return false
        throw error
      }
    }
  }
}

async function openEngine(url: string, options: DatabaseOptions): Promise<Engine> {
  // Loads one engine only: the other would cost time at every start, and memory.
  if (url.startsWith('pglite:')) {
    return (await import('./pglite/engine.ts')).openPglite(url.slice('pglite:'.length))
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    return (await import('./postgres/engine.ts')).openPostgres(url, options)
  }
  throw new DatabaseUnusable('DATABASE_URL must begin with postgres:// or pglite:')
}
