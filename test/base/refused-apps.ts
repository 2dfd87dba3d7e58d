import path from 'node:path'
import t from 'tap'
import { buildApp } from '../../src/app.ts'
import { AppError, loadApp } from '../../src/base/load.ts'
import type { Database } from '../../db/client.ts'
import { appFolder } from '../support/app-folder.ts'
import { testConfig } from '../support/test-config.ts'

// Apps that are refused.

/** A definition whose text begins in its third line. */
export const defining = (text: string) => ({
  'portal.js': `import { defineApp } from 'portal'\nexport default defineApp({\n${text}\n})\n`
})
/** A file of routes whose text begins in its second line. */
export const routing = (text: string, file = 'routes/orders.js') => ({
  [file]: `export default async (app) => {\n${text}\n}\n`
})
export const named = (part: string, count: number, member: (n: number) => string) =>
  defining(`${part}: {\n${Array.from({ length: count }, (_, n) => member(n)).join(',\n')}\n}`)
export const route = (config: string, url = '/', method = 'get') =>
  `app.${method}('${url}', { config: ${config}, schema: { response: { 200: {} } } }, async () => ({}))`
export const open = "{ access: 'public' }"
export const fp = "import fp from 'fastify-plugin'\n"
export const others = "import fp from 'fastify-plugin'\nimport { allow } from 'portal'\n"
export const plugin =
  "fp(async (app) => { app.get('/files/*', async () => 'a file') }, { name: 'files' })"

export type Row = readonly [
  name: string,
  files: Record<string, string>,
  ...mistakes: [place: string, says: RegExp][]
]

/** Tests that each app is refused, with the places and the words of its mistakes. */
export function refusesAll(database: Database, rows: readonly Row[]) {
  for (const [name, files, ...mistakes] of rows) {
    t.test(`an app is refused for: ${name}`, async (t) => {
      const folder = appFolder(t, files)
      const lines = (await errorOf(database, folder)).split('\n')
      t.equal(lines.length, mistakes.length, lines.join('\n'))
      for (const [at, [place, says]] of mistakes.entries()) {
        const line = lines[at] ?? ''
        const [where = '', text = ''] = line.split(/:? (.*)/)
        t.equal(path.relative(folder, where), place, line)
        t.match(text, says)
      }
    })
  }
}

/** The message with which the app in a folder is refused. */
export async function errorOf(database: Database, folder: string) {
  try {
    const ownApp = await loadApp(folder)
    const app = buildApp(testConfig(), { database: { ...database, close: async () => {} }, ownApp })
    try {
      await app.ready()
    } finally {
      await app.close()
    }
    return 'none'
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
