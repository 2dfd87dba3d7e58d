import { readFileSync } from 'node:fs'
import path from 'node:path'
import postgres from 'postgres'
import { openDatabase } from '../db/client.ts'
import { syncRegistry } from '../src/domain/access/registry.ts'
import { clean, startPostgres } from '../test/support/postgres.ts'

/** Starts a server in this folder and fills its database with so many rows of each kind. */
export async function largeDatabase(folder: string, size: Record<string, number>) {
  await clean(folder)
  const server = await startPostgres(folder, [
    'shared_buffers=512MB',
    'max_wal_size=8GB',
    'jit=off'
  ])
  const fresh = await openDatabase(server, { poolMax: 1 })
  await fresh.migrate(syncRegistry)
  await fresh.close()
  const seeder = postgres(server, { max: 1, onnotice: () => {} })
  const text = Object.entries(size).reduce(
    (text, [name, count]) => text.replaceAll(`:${name}`, String(Math.round(count))),
    readFileSync(path.join(import.meta.dirname, 'seed.sql'), 'utf8')
  )
  const began = Date.now()
  for (const statement of text.split(/;\n/).filter((each) => each.trim() !== '')) {
    await seeder.unsafe(statement)
    process.stderr.write(
      `${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ` +
        `${/^\s*(?:--.*\n)*\s*(.*)/.exec(statement)?.[1]?.slice(0, 70)}\n`
    )
  }
  await seeder`vacuum analyze`
  await seeder.end()
  return server
}
