import { Option } from 'commander'
import type { Command } from 'commander'
import { evaluationDays, leastStaleDays } from '../../db/schema/flags.ts'
import type { flagSorts } from '../../db/schema/flags.ts'
import { loadSettingsConfig } from '../config/config.ts'
import { requireKnownSettings } from '../domain/flags/caller-settings.ts'
import { listStaleFlags, readEvaluations } from '../domain/flags/evaluation-counts.ts'
import {
  createFlag,
  deleteFlag,
  findFlag,
  listFlags,
  listSchedule,
  updateFlag
} from '../domain/flags/flags.ts'
import { FlagPatch, NewFlag } from '../schemas/flags.ts'
import { UsageError } from './errors.ts'
import { addFlagHistory, printDeleted } from './flag-history.ts'
import { addTry } from './flag-trial.ts'
import { printList } from './list.ts'
import { asData, asList, example, numberFrom, numberUpTo } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { plain, printJson, printOne, say, tablePrinter, write } from './output.ts'
import { withPortal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { checked, checker, readJson, requireConfirmation } from './terminal.ts'

type Flag = Awaited<ReturnType<typeof findFlag>>
const show = ({ version, revision, ...flag }: Flag, json?: boolean) => printOne(flag, json)
const fileHelp = 'JSON file with the flag, in the format of the admin API; - for stdin'

const exampleFile = `
Example file: accountants get the new checkout, and a quarter of all other users
  {
    "key": "new-checkout",
    "type": "boolean",
    "variants": { "on": true, "off": false },
    "defaultVariant": "off",
    "offVariant": "off",
    "public": true,
    "rules": [
      { "when": { "rolesAny": ["accountant"] }, "serve": { "variant": "on" } },
      { "when": {}, "serve": { "split": [
        { "variant": "on", "weight": 25000 }, { "variant": "off", "weight": 75000 } ] } }
    ]
  }`

export function addFlagCommands(program: Command) {
  const flag = program.command('flag').description('feature flags')
  example(flag, 'portal flag list', 'portal flag disable new-checkout')
  addReading(flag)
  addTry(flag)
  addEvaluations(flag)
  addStale(flag)
  addCreate(flag)
  addChanges(flag)
  addDelete(flag)
  addFlagHistory(flag)
  addSchedule(flag)
}

function addReading(flag: Command) {
  const list = asList(flag.command('list').description('list feature flags'), [
    'key',
    '-createdAt'
  ]).option('--deleted', 'those that were deleted and can be restored')
  example(list, 'portal flag list', 'portal flag list --deleted')
  type Options = ListOptions<(typeof flagSorts)[number]> & { deleted?: true }
  list.action(async ({ deleted, ...options }: Options) =>
    deleted
      ? printDeleted(options)
      : withPortal(async ({ db }) =>
          printList(options, (window) => listFlags(db, window), [
            'key',
            'type',
            'state',
            'defaultVariant',
            'public',
            'updatedAt'
          ])
        )
  )

  const one = asData(flag.command('show').description('show a feature flag').argument('<key>'))
  example(one, 'portal flag show new-checkout --json')
  one.action(async (key: string, { json }: Json) =>
    withPortal(async ({ db }) => show(await findFlag(db, key), json))
  )
}

function addCreate(flag: Command) {
  type Options = Json & {
    file?: string
    description?: string
    public?: true
    permanent?: true
    on?: true
  }
  const create = asData(
    flag
      .command('create')
      .description('create a feature flag: a boolean flag by key, or any flag from a file')
      .argument('[key]', 'key of a boolean flag with the variants on and off')
  )
    .option('--on', 'serve the variant on by default; off without this option')
    .option('--public', 'allow evaluation by callers who are not signed in')
    .option('--permanent', 'never report the flag as stale')
    .option('--description <text>', 'purpose of the flag')
    .option('--file <file>', fileHelp)
  example(
    create,
    'portal flag create new-checkout --public',
    'portal flag create --file new-checkout.json'
  )
  create.addHelpText('after', exampleFile)
  create.action(async (key: string | undefined, { file, json, on, ...given }: Options) => {
    if ((key === undefined) === (file === undefined)) {
      throw new UsageError('Specify either a key or --file.')
    }
    if (file !== undefined && (on || Object.keys(given).length > 0)) {
      throw new UsageError(
        '--on, --public, --permanent and --description cannot be combined with --file: put ' +
          'them in the file.'
      )
    }
    const simple = {
      key,
      type: 'boolean',
      variants: { on: true, off: false },
      defaultVariant: on ? 'on' : 'off',
      offVariant: 'off',
      ...given
    }
    const input =
      file === undefined
        ? await checked(NewFlag, simple)
        : (await checker(NewFlag))(await readJson(file))
    await withPortal(async ({ db, actor, config }) => {
      requireKnownSettings(await settingsOf(config), input.rules)
      await show(await createFlag(db, actor, input), json)
    }, loadSettingsConfig)
  })
}

function addChanges(flag: Command) {
  const update = asData(
    flag.command('update').description('update a feature flag with a merge patch').argument('<key>')
  ).requiredOption('--file <file>', fileHelp)
  example(update, 'echo \'{"defaultVariant":"on"}\' | portal flag update new-checkout --file -')
  update.action(async (key: string, { file, json }: Json & { file: string }) => {
    const changes = (await checker(FlagPatch))(await readJson(file))
    await withPortal(async ({ db, actor, config }) => {
      requireKnownSettings(await settingsOf(config), changes.rules)
      await show(await updateFlag(db, actor, { key, changes }), json)
    }, loadSettingsConfig)
  })

  for (const [name, state, what] of [
    ['enable', 'enabled', 'enable a feature flag, so that its rules decide'],
    ['disable', 'disabled', 'disable a feature flag, so that it always serves its off variant']
  ] as const) {
    const command = asData(flag.command(name).description(what).argument('<key>'))
    example(command, `portal flag ${name} new-checkout`)
    command.action(async (key: string, { json }: Json) =>
      withPortal(async ({ db, actor }) =>
        show(await updateFlag(db, actor, { key, changes: { state } }), json)
      )
    )
  }
}

function addDelete(flag: Command) {
  const remove = asData(
    flag.command('delete').description('delete a feature flag').argument('<key>')
  ).option('--yes', 'do not ask for confirmation')
  example(remove, 'portal flag delete new-checkout --yes')
  remove.action(async (key: string, { yes, json }: Json & { yes?: boolean }) =>
    withPortal(async ({ db, actor }) => {
      await findFlag(db, key)
      await requireConfirmation(`This deletes the feature flag ${key} and its rules.`, yes)
      await deleteFlag(db, actor, { key })
      say('Deleted.')
      if (json) await printJson({ deleted: key })
    })
  )
}

interface Period extends Json {
  days: number
}

function addEvaluations(flag: Command) {
  const command = asData(
    flag
      .command('evaluations')
      .description('count how often each variant of a flag was sent to apps')
      .argument('<key>')
  ).addOption(
    new Option('--days <count>', 'number of days, today included')
      .argParser(numberUpTo(evaluationDays))
      .default(30)
  )
  example(command, 'portal flag evaluations new-checkout', 'portal flag evaluations beta --days 7')
  command.action(async (key: string, { days, json }: Period) =>
    withPortal(async ({ db }) => {
      const evaluations = await readEvaluations(db, { key, days })
      if (json) return printJson(evaluations)
      const rows = evaluations.variants.map(({ variant, single, bulk }) => ({
        variant,
        single: sum(single),
        bulk: sum(bulk)
      }))
      const total = sum(rows.map(({ single, bulk }) => single + bulk))
      const share = ({ single, bulk }: (typeof rows)[number]) =>
        `${((100 * (single + bulk)) / total).toFixed(1)} %`
      const table = tablePrinter<(typeof rows)[number]>([
        'variant',
        'single',
        'bulk',
        ['share', share]
      ])
      await table.add(rows)
      await table.end()
    })
  )
}

function addStale(flag: Command) {
  const command = asList(
    flag.command('stale').description('list feature flags that have nothing left to decide'),
    ['key']
  ).addOption(
    new Option('--days <count>', 'number of days without a change; evaluations count in them')
      .argParser(numberFrom(leastStaleDays, evaluationDays))
      .default(30)
  )
  example(command, 'portal flag stale', 'portal flag stale --days 90 --json')
  command.action(async ({ days, ...options }: Period & ListOptions<'key'>) =>
    withPortal(async ({ db }) =>
      printList(options, (window) => listStaleFlags(db, { days, ...window }), [
        'key',
        'reason',
        'since',
        'variant'
      ])
    )
  )
}

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)

type Serve = Awaited<ReturnType<typeof listSchedule>>[number]['serve']

function addSchedule(flag: Command) {
  const schedule = asData(
    flag
      .command('schedule')
      .description('list when rules begin and end, in the order of time')
      .argument('[key]', 'key of one flag')
  )
  example(schedule, 'portal flag schedule', 'portal flag schedule new-checkout')
  schedule.action(async (key: string | undefined, { json }: Json) =>
    withPortal(async ({ db }) => {
      const changes = await listSchedule(db, key)
      if (json) return printJson(changes)
      const lines = changes.map(({ at, key, rule, change, serve }) => {
        const time = at.toISOString().replace(/\.000Z$/, 'Z')
        return `${time}  ${key}  rule ${rule + 1} ${change}: ${plain(served(serve))}\n`
      })
      await write(lines.join(''))
      if (changes.length === 0) say('none')
    })
  )
}

const served = (serve: Serve) =>
  'variant' in serve
    ? serve.variant
    : serve.split.map(({ variant, weight }) => `${variant} ${weight / 1000} %`).join(', ')
