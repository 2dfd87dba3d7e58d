import type { Command } from 'commander'
import type { Database } from '../../db/client.ts'
import { databaseCode } from '../../db/errors.ts'
import { missingGrants } from '../../db/grants.ts'
import { transaction } from '../../db/transaction.ts'
import { budgetNames, formatBudget } from '../config/budget-variables.ts'
import { loadConfig, loadKeyedConfig, settingsSchemaFile } from '../config/config.ts'
import { secrets } from '../config/read-environment.ts'
import { environment } from '../config/variables.ts'
import { isUpToDate, syncRegistry } from '../domain/access/registry.ts'
import { record } from '../domain/activity/record.ts'
import { bumpAll } from '../domain/freshness/epochs.ts'
import { createSealing, reseal as resealValues } from '../domain/sealing.ts'
import { version } from '../version.ts'
import { exitCodes } from './errors.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { printJson, printOne, say, write } from './output.ts'
import { reportWaiting, withDatabase, withPortal } from './portal.ts'

const insufficientPrivilege = '42501'

export function addMaintenanceCommands(program: Command) {
  const migrate = program
    .command('migrate')
    .description('update the database schema')
    .option('--repair', 'also build indexes that are missing, invalid or different')
  example(migrate, 'portal migrate', 'portal migrate --repair')
  migrate.action(async ({ repair }: { repair?: true }) =>
    withDatabase(async (database, { ACTIVITY_FORGET: forgets }) => {
      const current = await isUpToDate(database).catch((error: unknown) => {
        if (databaseCode(error) === insufficientPrivilege) return false // the migration reports it
        throw error
      })
      if (!current) {
        await database.migrate(syncRegistry, reportWaiting)
      }
      say(`${database.label} ${current ? 'is up to date' : 'was updated'}`)
      await createMissingMonths(database)
      // Loaded when it is needed, with the definitions of all tables.
      if (repair) await (await import('./index-repair.ts')).repairIndexes(database)
      const grants = await missingGrants(database.db, forgets)
      if (grants.length === 0) return
      say('The role of DATABASE_URL lacks privileges. Run as the owner of the tables:')
      for (const grant of grants) say(`  ${grant}`)
    })
  )

  const refresh = program
    .command('refresh')
    .description(
      'make every instance reload its data, after manual changes or a restore; adds missing epochs'
    )
  example(refresh, 'portal refresh')
  refresh.action(async () =>
    withPortal(async ({ db, actor }) => {
      const missing = await transaction(db, async (tx) => {
        await record(tx, actor, 'portal.refresh')
        return bumpAll(tx)
      })
      if (missing > 0) say(`Added missing rows of the epochs: ${missing}.`)
      say('Every instance reloads its data, starting with the next request.')
    })
  )

  const reseal = asData(
    program
      .command('reseal')
      .description('seal stored values with the first of the SECRET_KEYS of the server')
  )
  example(reseal, 'portal reseal')
  reseal.action(({ json }: Json) =>
    withPortal(async ({ db, config }) => {
      const counts = await resealValues(db, createSealing(config.SECRET_KEYS))
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
  )

  const openapi = program
    .command('openapi')
    .description('print the OpenAPI document')
    .option('--development', 'include the admin API')
  example(openapi, 'portal openapi > portal.json')
  openapi.action(async ({ development }: { development?: true }) => {
    // Loads the whole application, which only this command needs.
    const { documentOf } = await import('../document.ts')
    const surface = development ? 'development' : 'production'
    await write(await documentOf(surface, settingsSchemaFile()))
  })

  const config = asData(
    program.command('config').description('print the effective configuration without secrets')
  )
  example(config, 'portal config')
  config.action(async ({ json }: Json) => printOne({ version, ...shownConfig() }, json))
}

/** The months ahead, if the activity is partitioned. Loaded when it is needed, as it rarely is. */
async function createMissingMonths(database: Database) {
  const { readParts } = await import('../../db/partitions/parts.ts')
  if (!(await readParts(database.db))) return
  const { createMonths } = await import('../../db/partitions/months.ts')
  const created = await database.exclusively((db) => createMonths(db, say), reportWaiting)
  if (created.length > 0) say(`Created partitions of the activity: ${created.join(', ')}`)
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
