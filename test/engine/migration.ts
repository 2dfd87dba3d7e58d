import { openDatabase } from '../../db/client.ts'
import { missingSearchIndex } from '../../db/server-info.ts'
import { isUpToDate, syncRegistry } from '../../src/domain/access/registry.ts'
import { urlOf } from './server.ts'
import type { Server } from './server.ts'

/** Migrates an empty database, by three processes at once, and again. */
export async function migrateNew(server: Server) {
  const { admin, prefix } = server
  await admin`create database ${admin(`${prefix}migrations`)}`
  const url = urlOf(server, 'migrations')
  const databases = await Promise.all([1, 2, 3].map(() => openDatabase(url, { poolMax: 2 })))
  const [first] = databases
  if (!first) throw new Error('three were opened')
  try {
    await Promise.all(databases.map((database) => database.migrate(syncRegistry)))
    await first.migrate(syncRegistry)
    const missing = await missingSearchIndex(first.db)
    return {
      passed: await isUpToDate(first),
      summary:
        missing.length === 0 ? 'with the index of the search' : 'without the index of the search',
      errors: []
    }
  } finally {
    for (const database of databases) await database.close()
  }
}
