import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { documentOf } from '../src/document.ts'
import { writeClientTypes } from './client-types.ts'
import { errorsFile, errorsPage } from './errors.ts'
import { fill } from './markers.ts'
import { lacksMigration, oldSnapshots, writeMigration } from './migration.ts'
import { operationTables } from './operations.ts'
import {
  actionTable,
  causeTable,
  commandTable,
  reasonTable,
  variableTable,
  versionTable
} from './tables.ts'

// Writes every file that follows from others, and deletes the snapshots of old migrations. With
// --check it writes nothing, and fails if a file is stale. With --name NAME it also writes the migration for a change of db/schema.

const { check, name } = parseArgs({
  options: { check: { type: 'boolean' }, name: { type: 'string' } }
}).values
const stale: string[] = []

if (name !== undefined) writeMigration(name)
if (await lacksMigration()) {
  process.stderr.write(
    'db/schema has changed: npm run generate -- --name NAME also writes the migration.\n'
  )
  process.exitCode = 1
}

for (const file of oldSnapshots()) {
  stale.push(path.relative('', file))
  if (!check) rmSync(file)
}

function write(file: string, text: string) {
  if (readFileSync(file, 'utf8') === text) return
  stale.push(path.relative('', file))
  if (!check) writeFileSync(file, text)
}

const production = await documentOf('production')
const everything = await documentOf('development', { commands: true })
write(path.resolve('openapi/portal.json'), production)
write(errorsFile, errorsPage(everything, await documentOf('console')))
if (!check) await writeClientTypes()

const tables: Record<string, Record<string, string>> = {
  'docs/lookup/api.md': { ...operationTables(production, everything), actions: actionTable() },
  'docs/lookup/cli.md': { commands: commandTable() },
  'docs/do/runbooks/database-does-not-answer.md': { causes: causeTable() },
  'docs/do/sign-in-with-others.md': { reasons: reasonTable() },
  'docs/lookup/configuration.md': { variables: variableTable() },
  'docs/lookup/versions.md': { node: versionTable('Node'), postgresql: versionTable('PostgreSQL') }
}
for (const [page, parts] of Object.entries(tables)) {
  const text = Object.entries(parts).reduce(fill, readFileSync(page, 'utf8'))
  write(path.resolve(page), text)
}

for (const file of stale) {
  const what = check ? 'is stale' : existsSync(file) ? 'written' : 'deleted'
  process.stdout.write(`${what}: ${file}\n`)
}
if (check && stale.length > 0) {
  process.stderr.write('Run npm run generate, and commit what it writes.\n')
  process.exitCode = 1
}
