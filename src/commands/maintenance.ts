import { databaseCode } from '../../db/errors.ts'
import { missingGrants } from '../../db/grants.ts'
import { transaction } from '../../db/transaction.ts'
import { budgetNames, formatBudget } from '../config/budget-variables.ts'
import {
  loadConfig,
  loadKeyedConfig,
  settingsSchemaFile,
  withMigrationsOf
} from '../config/config.ts'
import { secrets } from '../config/read-environment.ts'
import { environment } from '../config/variables.ts'
import { isUpToDate, syncRegistry } from '../domain/access/registry.ts'
import { record } from '../domain/activity/record.ts'
import { bumpAll } from '../domain/freshness/epochs.ts'
import { createSealing, reseal } from '../domain/sealing.ts'
import { version } from '../version.ts'
import { appOption, loadGivenApp } from './app.ts'
import { command, inPortal } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printJson, printOne, say, write } from './output.ts'
import { reportWaiting, withDatabase } from './portal.ts'

const insufficientPrivilege = '42501'

export const maintenanceCommands = {
  migrate: command({
    what: 'update the database schema',
    options: [appOption, ['--repair', 'also build indexes that are missing, invalid or different']],
    json: false,
    examples: ['', '--app ./app', '--repair'],
    run: migrate
  }),
  refresh: command({
    what:
      'make every instance reload its data, after manual changes or a restore; ' +
      'adds missing epochs',
    json: false,
    run: inPortal(async ({ db, actor }) => {
      const missing = await transaction(db, async (tx) => {
        await record(tx, actor, 'portal.refresh')
        return bumpAll(tx)
      })
      if (missing > 0) say(`Added missing rows of the epochs: ${missing}.`)
      say('Every instance reloads its data, starting with the next request.')
    })
  }),
  reseal: command({
    what: 'seal stored values with the first of the SECRET_KEYS of the server',
    run: inPortal(async ({ db, config }, { json }) => {
      const counts = await reseal(db, createSealing(config.SECRET_KEYS))
      say(`Values sealed with an older key: ${counts.resealed}. They use the first key now.`)
      if (counts.unreadable > 0) {
        say(
          `Values that none of these SECRET_KEYS opens: ${counts.unreadable}. Keep the key that ` +
            'they were sealed with, add it to SECRET_KEYS and run this command again.'
        )
        process.exitCode = exitCodes.failed
      }
      if (json) await printJson(counts)
    }, loadKeyedConfig)
  }),
  openapi: command({
    what: 'print the OpenAPI document',
    options: [
      ['--development', 'include the admin API'],
      ['--commands', 'include the commands of other systems: MACHINE_ADMIN'],
      appOption
    ],
    json: false,
    examples: ['> portal.json', '--app app > openapi.json'],
    async run({ development, commands }) {
      // Only this command needs the whole application, which is slow to load.
      const { documentOf } = await import('../document.ts')
      const surface = development ? 'development' : 'production'
      const settingsSchema = settingsSchemaFile()
      const ownApp = await loadGivenApp()
      await write(await documentOf(surface, { settingsSchema, ownApp, commands }))
    }
  }),
  config: command({
    what: 'print the effective configuration without secrets',
    run: async ({ json }) => printOne({ version, ...shownConfig() }, json)
  })
}

async function migrate({ repair }: { repair?: true }) {
  const ownApp = await loadGivenApp()
  await withDatabase(async (opened, { ACTIVITY_FORGET: forgets }) => {
    const database = await withMigrationsOf(ownApp, opened)
    const own = ownApp?.definition
    const current = await isUpToDate(database, own).catch((error: unknown) => {
      if (databaseCode(error) === insufficientPrivilege) return false // the migration reports it
      throw error
    })
    if (!current) await database.migrate((db) => syncRegistry(db, own), reportWaiting)
    say(`${database.label} ${current ? 'is up to date' : 'was updated'}`)
    // Most runs do without the definitions of all tables, so they are loaded here.
    if (repair) await (await import('./index-repair.ts')).repairIndexes(database)
    const grants = await missingGrants(database.db, forgets, ownApp !== undefined)
    if (grants.length === 0) return
    say('The role of DATABASE_URL lacks privileges. Run as the owner of the tables:')
    for (const grant of grants) say(`  ${grant}`)
  })
}

/** Every variable in the form in which it is set; a secret only shows whether it is set. */
function shownConfig(): Record<string, unknown> {
  const loaded = loadConfig()
  const config: Record<string, unknown> = {
    ...loaded,
    ...Object.fromEntries(budgetNames.map((name) => [name, formatBudget(loaded[name])]))
  }
  const valueOf = (name: string) =>
    secrets.some((secret) => secret === name) && config[name] !== undefined
      ? '(secret)'
      : (config[name] ?? null)
  const names = Object.keys(environment.properties)
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]))
}
