import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { documentOf } from '../src/document.ts'
import { clientTypes, typesFile } from './client-types.ts'
import { fileOf, modes } from './documents.ts'
import { errorsFile, errorsPage } from './errors.ts'

function write(file: string, text: string) {
  writeFileSync(file, text)
  process.stdout.write(`${path.relative('', file)}\n`)
}

for (const mode of modes) write(fileOf(mode), await documentOf(mode))
write(errorsFile, errorsPage(await documentOf('development')))
write(path.resolve(typesFile), await clientTypes())
