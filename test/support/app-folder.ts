import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { buildApp } from '../../src/app.ts'
import { loadApp } from '../../src/base/load.ts'
import type { Config } from '../../src/config/config.ts'
import { started, temporaryFolder, testDatabase } from './app.ts'
import { testConfig } from './test-config.ts'

export const emptyDefinition = "import { defineApp } from 'portal'\nexport default defineApp({})\n"

/** The folder of an app with these files, and with an empty definition unless they have one. */
export function appFolder(t: Pick<Test, 'teardown'>, files: Record<string, string>): string {
  const folder = realpathSync(temporaryFolder(t))
  writeFiles(folder, {
    'package.json': '{ "type": "module" }',
    'portal.js': emptyDefinition,
    ...files
  })
  return folder
}

/** Their imports of fastify-plugin are those of this process. */
export function writeFiles(folder: string, files: Record<string, string>) {
  const plugin = import.meta.resolve('fastify-plugin')
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll("'fastify-plugin'", `'${plugin}'`))
  }
}

/** An app whose one route greets the signed-in user. */
export const greeter = {
  'routes/greeting.js': `import { closed, Type } from 'portal'
    export default async (app) => {
      app.get('/greeting', {
        config: { access: 'session' },
        schema: {
          operationId: 'greet',
          summary: 'Greet',
          description: 'Greets the signed-in user.',
          response: { 200: closed({ text: Type.String({ maxLength: 100 }) }, { description: 'A greeting' }) }
        },
        handler: async (request) => ({ text: 'Hello ' + request.user.name })
      })
    }`
}

/** A portal that serves an app with these files. */
export const portalWith = (
  t: Test,
  files: Record<string, string>,
  changes: Partial<Config> = {},
  logger?: FastifyBaseLogger
) => portalFrom(t, appFolder(t, files), changes, logger)

/** A portal that serves the app in a folder. */
export async function portalFrom(
  t: Test,
  folder: string,
  changes: Partial<Config> = {},
  logger?: FastifyBaseLogger
): Promise<FastifyInstance> {
  const ownApp = await loadApp(folder)
  const database = await testDatabase(t)
  return started(t, buildApp(testConfig(changes), { database, ownApp, ...(logger && { logger }) }))
}
