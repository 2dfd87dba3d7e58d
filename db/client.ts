import path from 'node:path'
import type { DatabaseOptions, Db, Engine, OnWait } from './engine.ts'
import { DatabaseUnusable } from './errors.ts'
import { readMigrations, requirePath, withoutApplied } from './migrate.ts'

export interface Database extends Omit<Engine, 'migrate'> {
  migrate(seed: (db: Db) => Promise<void>, onWait?: OnWait): Promise<void>
  /** The names of migrations of this build that the database lacks. It may have newer ones. */
  missingMigrations(): Promise<string[]>
}

const migrationsFolder = path.join(import.meta.dirname, 'migrations')

/**
 * Opens a database: `pglite:DIRECTORY`, `pglite:memory` or `postgres://…`. PGlite opens and locks
 * its directory at once. PostgreSQL connects with the first query.
 * @throws DatabaseUnusable when the URL is wrong or the directory cannot be opened
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const engine = await openEngine(url, options)
  const migrations = readMigrations(migrationsFolder)
  return {
    ...engine,
    migrate: (seed, onWait) => engine.migrate(migrationsFolder, seed, onWait),
    async missingMigrations() {
      const missing = await withoutApplied(engine.db, migrations)
      if (missing.length === 0) await requirePath(engine.db)
      return missing.map(({ name }) => name)
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
