import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { documentOf } from '../src/document.ts'
import { fileOf, modes } from './documents.ts'

for (const mode of modes) {
  writeFileSync(fileOf(mode), await documentOf(mode))
  process.stdout.write(`${path.relative('', fileOf(mode))}\n`)
}
