import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { exportsIn } from '../db/folder.ts'

const db = path.join(import.meta.dirname, '../db')

/** Writes a migration of this name, if db/schema has changed since the last one. */
export function writeMigration(name: string) {
  const { status } = spawnSync('npx', ['drizzle-kit', 'generate', '--name', name], {
    stdio: ['inherit', 'ignore', 'inherit']
  })
  if (status !== 0) throw new Error('drizzle-kit could not write the migration')
}

/** Whether db/schema has changed since the last migration. */
export async function lacksMigration() {
  const meta = path.join(db, 'migrations/meta')
  const newest = readdirSync(meta)
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort()
    .at(-1)
  const last = JSON.parse(readFileSync(path.join(meta, newest ?? ''), 'utf8')) as object
  const schema = generateDrizzleJson({ ...(await exportsIn(path.join(db, 'schema'))) })
  return (await generateMigration(last as typeof schema, schema)).length > 0
}
