import type { Command } from 'commander'
import { loadSettingsConfig } from '../config/config.ts'
import { DomainError } from '../domain/domain-error.ts'
import type { FieldError } from '../domain/domain-error.ts'
import {
  countUnknownUsers,
  exportFlags,
  findOthers,
  importFlags,
  planImport
} from '../domain/flags/transfer.ts'
import { FlagFile, flagFormat } from '../schemas/flag-transfer.ts'
import { exitCodes } from './exit-codes.ts'
import { checker, readJson } from './input.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { plain, printJson, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { requireConfirmation } from './terminal.ts'

export function addFlagExport(exports: Command) {
  example(
    exports
      .command('flags')
      .description('export all feature flags as one JSON document, in the format of import flags'),
    'portal export flags > flags.json'
  ).action(async () =>
    withPortal(async ({ db }) => {
      const flags = await exportFlags(db)
      // Indented on every output: the file is compared and kept in Git.
      await write(`${JSON.stringify({ format: flagFormat, flags }, null, 2)}\n`)
      say(`exported ${flags.length}`)
    })
  )
}

interface Options extends Json {
  dryRun?: true
  keepState?: true
  prune?: true
  yes?: true
}

export function addFlagImport(imports: Command) {
  const command = asData(
    imports
      .command('flags')
      .description('create and update feature flags from a file, all of them or none')
      .argument('<file>', 'file to read; - for stdin')
  )
    .option('--dry-run', 'print what would happen without changing anything')
    .option('--keep-state', 'leave flags that exist here enabled or disabled as they are')
    .option('--prune', 'delete flags that are not in the file')
    .option('--yes', 'do not ask for confirmation')
  example(
    command,
    'portal import flags flags.json --dry-run',
    'portal import flags flags.json --keep-state'
  )
  command.action(async (name: string, { dryRun, keepState, prune, yes, json }: Options) => {
    const given = await readJson(name)
    await reported(given, async () => {
      const file = (await checker(FlagFile))(given)
      await withPortal(async ({ db, actor, config }) => {
        const remove = prune ? await findOthers(db, file) : []
        const input = { ...file, settings: await settingsOf(config), keepState, remove }
        const plan = await planImport(db, input)
        const unknown = await countUnknownUsers(db, file)
        if (unknown > 0) say(`warning: ${unknown} ids in rules are not those of users here`)
        if (!dryRun && remove.length > 0) {
          const count = remove.length === 1 ? 'a feature flag' : `${remove.length} feature flags`
          const question = `This deletes ${count} not in the file: ${remove.join(', ')}.`
          await requireConfirmation(question, yes)
        }
        const steps = dryRun ? plan : await importFlags(db, actor, input)
        if (json) await printJson(steps)
        else if (dryRun) await write(steps.map(lineOf).join(''))
        const count = (change: string) => steps.filter((step) => step.change === change).length
        const not = dryRun ? 'would be ' : ''
        say(
          `${not}created ${count('create')}, updated ${count('update')}, ` +
            `deleted ${count('delete')}; ${count('same')} are the same`
        )
      }, loadSettingsConfig)
    })
  })
}

const lineOf = ({ key, change, fields }: { key: string; change: string; fields: string[] }) =>
  `${change} ${key}${fields.length > 0 ? `: ${fields.join(' ')}` : ''}\n`

/** Prints the errors of a file by the keys of its flags. */
async function reported(file: unknown, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DomainError) || !error.errors) throw error
    for (const each of error.errors) say(explained(file, each))
    say('Nothing was imported.')
    process.exitCode = exitCodes.failed
  }
}

function explained(file: unknown, { pointer, message }: FieldError) {
  const [, list, index = '', ...place] = pointer.split('/')
  const flags = (file as { flags?: unknown } | null)?.flags
  const flag: unknown = list === 'flags' && Array.isArray(flags) ? flags[Number(index)] : undefined
  const key = (flag as { key?: unknown } | null | undefined)?.key
  const where =
    typeof key === 'string' ? [plain(key), place.join('/')] : [pointer.slice(1) || 'file']
  return [...where.filter((each) => each !== ''), message].join(': ')
}
