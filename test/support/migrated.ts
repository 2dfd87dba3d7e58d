import { openDatabase } from '../../db/client.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { deletePlannedAccounts } from '../../src/domain/jobs/planned-deletions.ts'
import { sweep } from '../../src/domain/jobs/sweep.ts'

/**
 * Migrates a database and does the hourly jobs, so that they are not due when an application starts
 * on it. A test about jobs deletes the rows of `jobs`.
 */
export async function migrated(url: string) {
  const database = await openDatabase(url)
  await database.migrate(syncRegistry)
  const { signal } = new AbortController()
  const onError = (...error: unknown[]) => {
    throw new Error('a job failed', { cause: error.at(-1) })
  }
  await sweep({
    ...{ db: database.db, signal, onError },
    recent: new Set(),
    retentionDays: 180,
    onDeleted: () => {}
  })
  await deletePlannedAccounts({ db: database.db, mail: undefined, signal, onError })
  await database.close()
}
