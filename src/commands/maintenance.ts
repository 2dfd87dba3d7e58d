import type { Command } from 'commander'
import { transaction } from '../../db/transaction.ts'
import { budgetNames, formatBudget } from '../budgets.ts'
import { environment, loadConfig } from '../config.ts'
import { record } from '../domain/activity.ts'
import { bumpAll } from '../domain/epochs.ts'
import { isUpToDate, syncRegistry } from '../domain/registry.ts'
import { asData, example } from './options.ts'
import { withDatabase, withPortal } from './portal.ts'
import { printOne, say } from './terminal.ts'

/** The whole application is loaded for it, and for it alone. */
async function openApiDocument (mode: 'production' | 'development') {
  return (await import('../document.ts')).documentOf(mode)
}

/** Shown as what they name, never as they are. */
const secret = new Set(['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'SECRET_KEYS'])

export function addMaintenanceCommands (program: Command) {
  example(program.command('migrate').description('bring the schema of the database up to date'), 'portal migrate')
    .action(async () => withDatabase(async (database) => {
      if (await isUpToDate(database)) return say(`${database.label} is up to date`)
      await database.migrate(syncRegistry)
      say(`${database.label} was brought up to date`)
    }))

  example(program.command('refresh').description('after changes that were made past the portal, by hand or from a backup: have every server read anew'), 'portal refresh')
    .action(async () => withPortal(async ({ db, actor }) => {
      await transaction(db, async (tx) => {
        await record(tx, actor, 'portal.refresh')
        await bumpAll(tx)
      })
      say('Every server reads anew from its next request on.')
    }))

  example(program.command('openapi').description('print the OpenAPI document').option('--development', 'with the admin API'), 'portal openapi > portal.json')
    .action(async ({ development }: { development?: true }) => {
      process.stdout.write(await openApiDocument(development ? 'development' : 'production'))
    })

  example(asData(program.command('config').description('print the configuration in force, without its secrets')), 'portal config')
    .action(async ({ json }: { json?: true }) => {
      const loaded = loadConfig()
      // As they would be set.
      const config: Record<string, unknown> = { ...loaded, ...Object.fromEntries(budgetNames.map((name) => [name, formatBudget(loaded[name])])), RATE_LIMIT: loaded.RATE_LIMIT ?? 'off' }
      const names = Object.keys(environment.properties)
      printOne(Object.fromEntries(names.map((name) => [name, secret.has(name) && config[name] !== undefined ? '(secret)' : config[name] ?? null])), names, json === true)
    })
}
