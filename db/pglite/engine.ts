import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import type { Engine } from '../engine.ts'
import { epochQuery, noEpochs } from '../epochs.ts'
import type { EpochRow } from '../epochs.ts'
import { DatabaseUnusable } from '../errors.ts'
import { lockDirectory } from './lock.ts'
import { applyMigrations } from '../migrate.ts'

// V8 optimizes a WebAssembly function as soon as it has executed 1.8 MB of code. Hundreds do so
// while PGlite starts, which takes a second of processor time and 90 MB. With a gigabyte, only
// functions that are really busy are optimized.
setFlagsFromString('--wasm-tiering-budget=1000000000')

/** @param location a directory, or `memory` */
export async function openPglite(location: string): Promise<Engine> {
  const memory = location === 'memory'
  const directory = memory ? undefined : makeDirectory(location)
  const unlock = directory === undefined ? () => {} : await lockDirectory(directory)
  try {
    const client = await PGlite.create({
      extensions: { trigrams },
      ...(directory !== undefined && { dataDir: directory }),
      ...(!isInitialized(directory) && { loadDataDir: await emptyCluster() })
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
      exclusively: (work) => work(db),
      async readEpochs(known) {
        const {
          rows: [row]
        } = await client.query<EpochRow>(epochQuery, [known])
        return row ?? noEpochs
      },
      load: () => 0, // statements run in this thread, one at a time
      lateCommits: () => 0,
      async close() {
        if (!client.closed) await client.close()
        unlock()
      }
    }
  } catch (error) {
    unlock()
    throw new DatabaseUnusable(
      `The database in ${location} cannot be opened. If it was created by another version of ` +
        'PGlite or is damaged, move the directory away and start again, or restore it from a ' +
        'backup.',
      { cause: error }
    )
  }
}

const isInitialized = (directory: string | undefined) =>
  directory !== undefined && existsSync(path.join(directory, 'PG_VERSION'))

/**
 * A new data directory as an archive. Unpacking it takes a quarter of the time of initdb, and less
 * memory. PG_VERSION comes after all tables, so a directory that lacks them is unpacked again.
 * The package is not released with every version of PGlite. Its archive is as compatible with later
 * versions as a data directory is; another major version of PostgreSQL rejects it.
 */
async function emptyCluster() {
  const archive = path.join(import.meta.dirname, 'empty-cluster.tgz') // bin/finish-build.js
  if (existsSync(archive)) return new Blob([readFileSync(archive)])
  const { dataDir } = await import('@electric-sql/pglite-prepopulatedfs') // in a checkout
  return dataDir()
}

/** Returns the real path, so that all names of a directory have the same lock. */
function makeDirectory(location: string) {
  try {
    mkdirSync(location, { recursive: true, mode: 0o700 })
    return realpathSync(location)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'error'
    throw new DatabaseUnusable(
      `The data directory ${path.resolve(location)} cannot be created (${code}). ` +
        'Give this user write access to it, or name another one: DATABASE_URL=pglite:DIRECTORY',
      { cause: error }
    )
  }
}
