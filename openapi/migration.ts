import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { exportsIn } from '../db/folder.ts'

const db = path.join(import.meta.dirname, '../db')
const meta = path.join(db, 'migrations/meta')

/** The whole schema after each migration, oldest first. */
const snapshots = () =>
  readdirSync(meta)
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort()
    .map((name) => path.join(meta, name))

/** All snapshots but the last one, which is the only one that the next migration is compared with. */
export const oldSnapshots = () => snapshots().slice(0, -1)

/** Writes a migration of this name, if db/schema has changed since the last one. */
export function writeMigration(name: string) {
  const { status } = spawnSync('npx', ['drizzle-kit', 'generate', '--name', name], {
    stdio: ['inherit', 'ignore', 'inherit']
  })
  if (status !== 0) throw new Error('drizzle-kit could not write the migration')
}

/** Whether db/schema has changed since the last migration. */
export async function lacksMigration() {
  const last = JSON.parse(readFileSync(snapshots().at(-1) ?? '', 'utf8')) as object
  const schema = generateDrizzleJson({ ...(await exportsIn(path.join(db, 'schema'))) })
  return (await generateMigration(last as typeof schema, schema)).length > 0
}
