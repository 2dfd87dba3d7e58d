import type { Command } from 'commander'
import { text } from 'node:stream/consumers'
import type { flagSorts } from '../../db/schema/flags.ts'
import { createFlag, deleteFlag, findFlag, listFlags, updateFlag } from '../domain/flags.ts'
import { FlagPatch, NewFlag } from '../schemas/flags.ts'
import { checker, parseJson } from './input.ts'
import { asData, asList, collect, example } from './options.ts'
import type { ListOptions } from './options.ts'
import { withPortal } from './portal.ts'
import { openInput, printOne, printRows, requireConfirmation, say } from './terminal.ts'

interface Json { json?: true }

const fields = ['key', 'description', 'type', 'state', 'variants', 'defaultVariant', 'offVariant', 'rules', 'public', 'createdAt', 'updatedAt']
const show = ({ version, revision, ...flag }: Awaited<ReturnType<typeof findFlag>>, json: boolean | undefined) => printOne(flag, fields, json === true)
const fileHelp = 'file with the flag as JSON, as the admin API takes it; - is stdin'

export function addFlagCommands (program: Command) {
  const flag = program.command('flag').description('feature flags')

  example(asList(flag.command('list').description('list feature flags'), ['key', '-createdAt']), 'portal flag list')
    .action(async (options: ListOptions<typeof flagSorts[number]>) => withPortal(async ({ db }) =>
      printRows(await collect(options, (window) => listFlags(db, window)), ['key', 'type', 'state', 'defaultVariant', 'public', 'updatedAt'], options.json === true)))

  example(asData(flag.command('show').description('show a feature flag').argument('<key>')), 'portal flag show new-checkout --json')
    .action(async (key: string, { json }: Json) => withPortal(async ({ db }) => show(await findFlag(db, key), json)))

  example(asData(flag.command('create').description('make a feature flag').requiredOption('--file <file>', fileHelp)), 'portal flag create --file new-checkout.json')
    .action(async ({ file, json }: Json & { file: string }) => {
      const wish = (await checker(NewFlag))(parseJson(await text(openInput(file))))
      await withPortal(async ({ db, actor }) => show(await createFlag(db, actor, wish), json))
    })

  example(asData(flag.command('update').description('change a feature flag by a merge patch').argument('<key>').requiredOption('--file <file>', fileHelp)),
    'echo \'{"defaultVariant":"on"}\' | portal flag update new-checkout --file -')
    .action(async (key: string, { file, json }: Json & { file: string }) => {
      const changes = (await checker(FlagPatch))(parseJson(await text(openInput(file))))
      await withPortal(async ({ db, actor }) => show(await updateFlag(db, actor, key, changes), json))
    })

  for (const [name, state, what] of [['enable', 'enabled', 'switch a feature flag on: its rules decide again'], ['disable', 'disabled', 'switch a feature flag off: everybody gets its off variant']] as const) {
    example(asData(flag.command(name).description(what).argument('<key>')), `portal flag ${name} new-checkout`)
      .action(async (key: string, { json }: Json) => withPortal(async ({ db, actor }) => show(await updateFlag(db, actor, key, { state }), json)))
  }

  example(flag.command('delete').description('delete a feature flag').argument('<key>').option('--yes', 'do not ask'), 'portal flag delete new-checkout --yes')
    .action(async (key: string, { yes }: { yes?: boolean }) => withPortal(async ({ db, actor }) => {
      await findFlag(db, key)
      await requireConfirmation(`This deletes the feature flag ${key} with its rules.`, yes)
      await deleteFlag(db, actor, key)
      say('deleted')
    }))
}
