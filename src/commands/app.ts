import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as generator from 'openapi-typescript'
import { loadOwnApp, ownAppFolder } from '../config/config.ts'
import { setApp } from '../config/shell.ts'
import { randomText } from '../domain/crypto.ts'
import { command, group } from './command.ts'
import { UsageError } from './errors.ts'
import { say, write } from './output.ts'

/** Sets APP, which whatever reads it then finds. */
export const appOption = [
  '--app <folder>',
  'folder of the app that is built on the portal; by default APP',
  { parse: setApp }
] as const

/** Loads the app of the option or of APP. @throws AppError */
export const loadGivenApp = () => loadOwnApp(ownAppFolder())

// These commands load the whole application, which other commands do without.

export const initCommand = command({
  what: 'create an app in a new folder',
  args: { folder: 'its name is that of the app' },
  options: [
    [
      '--portal <source>',
      'version, file or URL of the portal for npm; by default the one of this portal'
    ]
  ],
  json: false,
  examples: ['my-app'],
  async run({ portal }, folder) {
    const { createScaffold } = await import('../base/scaffold.ts')
    createScaffold(folder, portal)
    say(`Created ${folder}. Go on with:\n  cd ${folder}\n  npm install\n  npm run dev`)
  }
})

export const appCommands = group({
  what: 'look at an app that is built on the portal',
  examples: ['portal app check', 'portal app types > api.d.ts'],
  commands: {
    check: command({
      what: 'print every mistake that would stop the start',
      options: [appOption],
      json: false,
      examples: ['', '--app app'],
      run: check
    }),
    types: command({
      what: 'print the types of the API for a client in TypeScript',
      options: [appOption],
      json: false,
      examples: ['> api.d.ts'],
      run: printTypes
    })
  }
})

const folderOf = () => ownAppFolder() ?? 'app'

/** Starts the app on a database in memory, without listening. */
async function check() {
  const { createApp } = await import('../base/create-app.ts')
  const env = {
    NODE_ENV: 'development',
    DATABASE_URL: 'pglite:memory',
    SECRET_KEYS: `check:${randomText()}`,
    LOG_LEVEL: 'warn'
  }
  const app = await createApp({ app: folderOf(), env })
  try {
    await app.ready()
  } finally {
    await app.close()
  }
  say(`No mistakes in ${app.ownApp?.file}`)
}

async function printTypes() {
  const { documentOf } = await import('../document.ts')
  const { default: openapiTs, astToString } = await importGenerator()
  const document = await documentOf('production', { ownApp: await loadOwnApp(folderOf()) })
  await write(astToString(await openapiTs(document)))
}

/** The package of the app, because an installed portal has no compiler. */
async function importGenerator() {
  const name = 'openapi-typescript'
  try {
    const file = createRequire(path.resolve('package.json')).resolve(`${name}/dist/index.mjs`)
    return (await import(pathToFileURL(file).href)) as typeof generator
  } catch {
    throw new UsageError(`The types are written by ${name}: npm install --save-dev ${name}`)
  }
}
