import { mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import type { Engine } from '../client.ts'
import { epochQuery, noEpochs } from '../epochs.ts'
import type { EpochRow } from '../epochs.ts'
import { DatabaseUnusable } from '../errors.ts'
import { lockDirectory } from './lock.ts'
import { applyMigrations } from '../migrate.ts'

/** @param location a directory, or `memory` */
export async function openPglite(location: string): Promise<Engine> {
  const memory = location === 'memory'
  const directory = memory ? undefined : makeDirectory(location)
  const unlock = directory === undefined ? () => {} : await lockDirectory(directory)
  try {
    const client = await PGlite.create({
      extensions: { trigrams },
      ...(directory && { dataDir: directory })
    })
    const db = drizzle({ client })
    return {
      db,
      checkDb: db,
      label: memory ? 'PGlite in memory' : `PGlite in ${path.relative('', location) || location}`,
      embedded: true,
      local: true,
      async migrate(folder, seed) {
        await applyMigrations(db, folder, false)
        await seed(db)
      },
      async readEpochs(known) {
        const {
          rows: [row]
        } = await client.query<EpochRow>(epochQuery, [known])
        return row ?? noEpochs
      },
      load: () => 0, // one at a time, and while it works nobody can ask
      async close() {
        if (!client.closed) await client.close()
        unlock()
      }
    }
  } catch (error) {
    unlock()
    throw new DatabaseUnusable(
      `The database in ${location} cannot be opened. If it was made by another version of PGlite or is damaged, ` +
        'move the directory away and start again, or restore it from a backup.',
      { cause: error }
    )
  }
}

/** The real path, so that two names of one directory meet in one lock. */
function makeDirectory(location: string) {
  try {
    mkdirSync(location, { recursive: true, mode: 0o700 })
    return realpathSync(location)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'error'
    throw new DatabaseUnusable(
      `The data directory ${path.resolve(location)} cannot be made (${code}). ` +
        'Give this user write access to it, or name another one: DATABASE_URL=pglite:DIRECTORY',
      { cause: error }
    )
  }
}
