import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { documentOf } from '../src/document.ts'
import { clientTypes, typesFile } from './client-types.ts'
import { fileOf, modes } from './documents.ts'
import { errorsFile, errorsPage } from './errors.ts'
import { fill } from './markers.ts'
import { operationTables } from './operations.ts'
import { actionTable, commandTable, variableTable } from './tables.ts'

// Writes every file that follows from others. With --check it writes nothing, and fails if one of
// them is stale.

const check = process.argv.includes('--check')
const stale: string[] = []

function write(file: string, text: string) {
  const name = path.relative('', file)
  if (readFileSync(file, 'utf8') === text) return
  stale.push(name)
  if (!check) writeFileSync(file, text)
}

const [production, development] = [await documentOf('production'), await documentOf('development')]
for (const mode of modes) write(fileOf(mode), mode === 'production' ? production : development)
write(errorsFile, errorsPage(development))
write(path.resolve(typesFile), await clientTypes())

const tables: Record<string, Record<string, string>> = {
  'docs/api.md': { ...operationTables(production, development), actions: actionTable() },
  'docs/cli.md': { commands: commandTable() },
  'docs/configuration.md': { variables: variableTable() }
}
for (const [page, parts] of Object.entries(tables)) {
  const text = Object.entries(parts).reduce(fill, readFileSync(page, 'utf8'))
  write(path.resolve(page), text)
}

for (const file of stale) process.stdout.write(`${check ? 'is stale' : 'written'}: ${file}\n`)
if (check && stale.length > 0) {
  process.stderr.write('Run npm run generate, and commit what it writes.\n')
  process.exitCode = 1
}
