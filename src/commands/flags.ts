import {
  evaluationDays,
  flagSorts,
  flagStates,
  flagTypes,
  leastStaleDays
} from '../../db/schema/flags.ts'
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
import { listFlagRevisions, restoreFlag } from '../domain/flags/restore.ts'
import { FlagPatch, NewFlag } from '../schemas/flags.ts'
import {
  command,
  group,
  inPortal,
  list,
  listOptions,
  printItem,
  prints,
  removal,
  searchOption,
  show
} from './command.ts'
import { UsageError } from './errors.ts'
import { historyCommands, printDeleted } from './flag-history.ts'
import { tryCommand } from './flag-trial.ts'
import { printList } from './list.ts'
import { countOr, numberFrom, requireOne } from './options.ts'
import type { Json } from './options.ts'
import { plain, printJson, printTable, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import { settingsOf } from './settings.ts'
import { checked, readChecked } from './terminal.ts'

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

interface NewOptions extends Json {
  file?: string
  description?: string
  public?: true
  permanent?: true
  on?: true
}

async function create({ file, json, on, ...given }: NewOptions, key?: string) {
  requireOne('either a key or --file', key, file)
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
    file === undefined ? await checked(NewFlag, simple) : await readChecked(NewFlag, file)
  await withPortal(async ({ db, actor, config }) => {
    requireKnownSettings(await settingsOf(config), input.rules)
    await printItem(await createFlag(db, actor, input), json)
  }, loadSettingsConfig)
}

const withState = (state: 'enabled' | 'disabled', what: string) =>
  command({
    what,
    examples: ['new-checkout'],
    run: prints(async ({ db, actor }, _, key) => updateFlag(db, actor, { key, changes: { state } }))
  })

const evaluations = inPortal(async ({ db }, { days, json }: Json & { days: number }, key) => {
  const found = await readEvaluations(db, { key, days })
  if (json) return printJson(found)
  const rows = found.variants.map(({ variant, single, bulk }) => ({
    variant,
    single: sum(single),
    bulk: sum(bulk)
  }))
  const total = sum(rows.map(({ single, bulk }) => single + bulk))
  await printTable(rows, [
    'variant',
    'single',
    'bulk',
    ['share', ({ single, bulk }) => `${((100 * (single + bulk)) / total).toFixed(1)} %`]
  ])
})

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)

const schedule = inPortal(async ({ db }, { json }: Json, key?: string) => {
  const changes = await listSchedule(db, key)
  if (json) return printJson(changes)
  const lines = changes.map(({ at, key, rule, change, serve }) => {
    const time = at.toISOString().replace(/\.000Z$/, 'Z')
    return `${time}  ${key}  rule ${rule + 1} ${change}: ${plain(served(serve))}\n`
  })
  await write(lines.join(''))
  if (changes.length === 0) say('none')
})

type Serve = Awaited<ReturnType<typeof listSchedule>>[number]['serve']

const served = (serve: Serve) =>
  'variant' in serve
    ? serve.variant
    : serve.split.map(({ variant, weight }) => `${variant} ${weight / 1000} %`).join(', ')

export const flagCommands = group({
  what: 'feature flags',
  examples: ['portal flag list', 'portal flag disable new-checkout'],
  commands: {
    list: command({
      what: 'list feature flags',
      options: [
        ...listOptions(flagSorts),
        ...searchOption('the key or the description'),
        ['--type <type>', 'only flags of this type', { choices: flagTypes }],
        ['--state <state>', 'only flags with this state', { choices: [...flagStates, 'stale'] }],
        ['--deleted', 'those that were deleted and can be restored']
      ],
      examples: ['', '--deleted'],
      run: inPortal(async (portal, { deleted, q, type, state, ...options }) =>
        deleted
          ? printDeleted(portal, options)
          : printList(options, (window) => listFlags(portal.db, { q, type, state, ...window }), [
              'key',
              'type',
              'state',
              'defaultVariant',
              'public',
              'updatedAt'
            ])
      )
    }),
    'show <key>': show({
      what: 'show a feature flag',
      examples: ['new-checkout --json'],
      find: findFlag
    }),
    'try [key]': tryCommand,
    'evaluations <key>': command({
      what: 'count how often each variant of a flag was sent to apps',
      options: [countOr('--days <count>', 'number of days, today included', evaluationDays, 30)],
      examples: ['new-checkout', 'beta --days 7'],
      run: evaluations
    }),
    stale: list({
      what: 'list feature flags that have nothing left to decide',
      options: [
        [
          '--days <count>',
          'number of days without a change; evaluations count in them',
          { parse: numberFrom(leastStaleDays, evaluationDays), default: 30 }
        ]
      ],
      examples: ['', '--days 90 --json'],
      sorts: ['key'],
      rows: ({ db }, window, { days }) => listStaleFlags(db, { days, ...window }),
      columns: ['key', 'reason', 'since', 'variant']
    }),
    'create [key]': command({
      what: 'create a feature flag: a boolean flag by key, or any flag from a file',
      args: { key: 'key of a boolean flag with the variants on and off' },
      options: [
        ['--on', 'serve the variant on by default; off without this option'],
        ['--public', 'allow evaluation by callers who are not signed in'],
        ['--permanent', 'never report the flag as stale'],
        ['--description <text>', 'purpose of the flag'],
        ['--file <file>', fileHelp]
      ],
      examples: ['new-checkout --public', '--file new-checkout.json'],
      footer: exampleFile,
      run: create
    }),
    'update <key>': command({
      what: 'update a feature flag with a merge patch',
      options: [['--file <file>', fileHelp, { required: true }]],
      examples: ['echo \'{"defaultVariant":"on"}\' | portal flag update new-checkout --file -'],
      async run({ file, json }, key) {
        const changes = await readChecked(FlagPatch, file)
        await withPortal(async ({ db, actor, config }) => {
          requireKnownSettings(await settingsOf(config), changes.rules)
          await printItem(await updateFlag(db, actor, { key, changes }), json)
        }, loadSettingsConfig)
      }
    }),
    'enable <key>': withState('enabled', 'enable a feature flag, so that its rules decide'),
    'disable <key>': withState(
      'disabled',
      'disable a feature flag, so that it always serves its off variant'
    ),
    'delete <key>': removal({
      what: 'delete a feature flag',
      examples: ['new-checkout --yes'],
      find: findFlag,
      remove: deleteFlag,
      question: (key) => `This deletes the feature flag ${key} and its rules.`
    }),
    ...historyCommands({
      name: 'flag',
      key: 'new-checkout',
      list: listFlagRevisions,
      restore: restoreFlag
    }),
    'schedule [key]': command({
      what: 'list when rules begin and end, in the order of time',
      args: { key: 'key of one flag' },
      examples: ['', 'new-checkout'],
      run: schedule
    })
  }
})
