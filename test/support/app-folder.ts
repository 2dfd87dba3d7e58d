import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { buildApp } from '../../src/app.ts'
import { loadApp } from '../../src/base/load.ts'
import type { Config } from '../../src/config/config.ts'
import { started, temporaryFolder, testDatabase } from './app.ts'
import { built } from './root.ts'
import { testConfig } from './test-config.ts'

/** What a file of an app imports, from the modules of this process. */
const modules: Record<string, string> = {
  portal: pathToFileURL(path.join(built, 'src/base/index.js')).href,
  'fastify-plugin': import.meta.resolve('fastify-plugin')
}

export const emptyDefinition = "import { defineApp } from 'portal'\nexport default defineApp({})\n"

/** The folder of an app with these files, and with an empty definition unless they have one. */
export function appFolder(t: Pick<Test, 'teardown'>, files: Record<string, string>): string {
  const folder = realpathSync(temporaryFolder(t))
  const all = { 'package.json': '{ "type": "module" }', 'portal.js': emptyDefinition, ...files }
  for (const [name, text] of Object.entries(all)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(
      file,
      text.replaceAll(/'(portal|fastify-plugin)'/g, (_, name: string) => `'${modules[name]}'`)
    )
  }
  return folder
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
