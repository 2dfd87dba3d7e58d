import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import openapiTs, { astToString } from 'openapi-typescript'
import t from 'tap'
import type { Test } from 'tap'
import { documentOf } from '../../src/document.ts'
import { root } from '../support/root.ts'
import { schemaFile, settingsFile } from '../support/settings.ts'
import { installPackages } from '../support/packages.ts'
import { compileStrictly } from './strict.ts'
import type { Mistake } from './strict.ts'

// Clients of a portal with SETTINGS_SCHEMA are typed with the settings of the app.

const packages = await installPackages('generators', 'generate.js')
const text = await documentOf('production', { settingsSchema: settingsFile(t, schemaFile) })

/** A folder with a client and the document. */
function folderWith(t: Test, client: string, ...more: string[]) {
  const folder = mkdtempSync(path.join(packages, 'settings-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'generated'))
  for (const file of [`settings/${client}`, ...more]) {
    cpSync(path.join(root, 'test/generators', file), path.join(folder, path.basename(file)))
  }
  const document = path.join(folder, 'portal.json')
  writeFileSync(document, text)
  return { folder, document }
}

const generate = (generator: 'hey-api' | 'orval', document: string, folder: string) =>
  promisify(execFile)(process.execPath, ['generate.js', generator, document, folder], {
    cwd: packages
  })

const mistakes: Mistake[] = [
  ["startPage: 'calendar'", "startPage: 'moon'"],
  ['columns: null', 'columns: 7'],
  ['columns: null', "plan: 'pro'"],
  ["columns: ['date']", 'columns: null'],
  ["columns: ['date']", 'columns: [1]'],
  ["satisfies 'inbox' | 'calendar'", "satisfies 'inbox'"],
  ['limits.projects', 'limits.seats.length']
]
const right = { messages: [], unnoticed: [] }

t.test('types of openapi-typescript refuse a wrong setting', async (t) => {
  const { folder, document } = folderWith(t, 'openapi-fetch.ts')
  const types = astToString(await openapiTs(pathToFileURL(document)))
  writeFileSync(path.join(folder, 'generated/portal.d.ts'), types)
  t.same(compileStrictly(folder, 'openapi-fetch.ts', mistakes), right)
})

t.test('a client of hey-api refuses a wrong setting', async (t) => {
  const { folder, document } = folderWith(t, 'hey-api.ts')
  await generate('hey-api', document, folder)
  // The files client/ and core/, which hey-api copies into every client, do not compile with it.
  const options = { exactOptionalPropertyTypes: false }
  t.same(compileStrictly(folder, 'hey-api.ts', mistakes, options), right)
})

t.test('a client of orval refuses a wrong setting', async (t) => {
  const { folder, document } = folderWith(t, 'orval.ts', 'orval-fetch.ts')
  await generate('orval', document, folder)
  t.same(compileStrictly(folder, 'orval.ts', mistakes), right)
})
