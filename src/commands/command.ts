import { Option } from 'commander'
import type { Command } from 'commander'
import type { Db } from '../../db/engine.ts'
import type { CommandLine } from '../domain/actor.ts'
import type { Page, Window } from '../domain/keyset.ts'
import { printList } from './list.ts'
import { jsonOption, numberUpTo, whoHelp, yes } from './options.ts'
import type { Given, Json, ListOptions, OptionRow, Parse, Rows } from './options.ts'
import { done, printOne, say } from './output.ts'
import type { Column } from './output.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'
import { requireConfirmation } from './terminal.ts'

// The command line is data: a group is a row with the rows of its commands.

/** Adds a command or a group of commands to the one above, with its name and arguments. */
export type Add = (parent: Command, usage: string) => void

interface Described<Options extends Rows = Rows> {
  what: string
  /** Without `portal`, what follows the name of the command. By default, the name alone. */
  examples?: readonly string[]
  /** Describes arguments that need more than their name. */
  args?: Readonly<Record<string, string | readonly [what: string, parse: Parse]>>
  options?: Options
}

interface CommandRow<Options extends Rows, Args extends unknown[]> extends Described<Options> {
  /** Only commands that print no data do without `--json`. */
  json?: false
  /** Text at the end of the help. */
  footer?: string
  run: (given: Given<Options>, ...args: Args) => unknown
}

type Work<Values, Args extends unknown[], Result = unknown> = (
  portal: Portal,
  given: Values,
  ...args: Args
) => Result

type Load = Parameters<typeof withPortal>[1]

export const group =
  (row: { what: string; examples: string[]; commands: Readonly<Record<string, Add>> }): Add =>
  (parent, name) => {
    const added = example(parent.command(name).description(row.what), row.examples)
    for (const [usage, add] of Object.entries(row.commands)) add(added, usage)
  }

export const command =
  <const Options extends Rows = [], Args extends unknown[] = string[]>(
    row: CommandRow<Options, Args>
  ): Add =>
  (parent, usage) => {
    const { what, examples, args = {}, options = [], json, footer = '', run } = row
    const added = example(parent.command(usage).description(what), examples)
    for (const argument of added.registeredArguments) {
      const name = argument.name()
      const given = args[name] ?? (name === 'user' ? whoHelp : '')
      const [help, parse] = typeof given === 'string' ? [given] : given
      argument.description = help
      if (parse) argument.argParser(parse)
    }
    for (const each of json === false ? options : [jsonOption, ...options]) {
      added.addOption(optionOf(each))
    }
    added.addHelpText('after', footer)
    added.action(async () => {
      // An argument that can be repeated comes as the rest of the arguments.
      await run(added.opts() as Given<Options>, ...(added.processedArgs.flat() as Args))
    })
  }

/** Adds examples to the end of the help. */
export function example(command: Command, tails: readonly string[] = ['']) {
  const path = [command.parent?.parent?.name(), command.parent?.name(), command.name()]
  const lines = tails.map((tail) =>
    tail.includes('portal ') ? tail : [...path, tail].filter(Boolean).join(' ')
  )
  return command.addHelpText(
    'after',
    `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  ${line}`).join('\n')}`
  )
}

function optionOf([flags, what, rules = {}]: OptionRow) {
  const option = new Option(flags, what).makeOptionMandatory(rules.required ?? false)
  if (rules.parse) option.argParser(rules.parse as Parse)
  if (rules.choices) option.choices(rules.choices)
  if (rules.default !== undefined) option.default(rules.default)
  return option.conflicts(rules.conflicts ?? [])
}

/** Runs with an open portal. */
export const inPortal =
  <Values = Json, Args extends unknown[] = string[]>(work: Work<Values, Args>, load?: Load) =>
  (given: Values, ...args: Args) =>
    withPortal(async (portal) => work(portal, given, ...args), load)

/** Runs with an open portal, and prints the item that `work` returns. */
export const prints = <Values extends Json = Json, Args extends unknown[] = string[]>(
  work: Work<Values, Args, Promise<object>>,
  load?: Load
) =>
  inPortal<Values, Args>(
    async (portal, given, ...args) => printItem(await work(portal, given, ...args), given.json),
    load
  )

/** The number of a version is for conditional requests of the API only. */
export function printItem(item: { version?: unknown; revision?: unknown }, json?: boolean) {
  const { version, revision, ...shown } = item
  return printOne(shown, json)
}

/** The options of every list. The first sort key is the default. */
export function listOptions<Sort extends string>(sorts: readonly Sort[], newestFirst?: true) {
  const first = sorts[0] as Sort
  return [
    [
      '--sort <order>',
      'sort key; prefix with - for descending order',
      {
        choices: sorts.flatMap((sort): (Sort | `-${Sort}`)[] => [sort, `-${sort}`]),
        default: newestFirst ? `-${first}` : first
      }
    ],
    ['--limit <count>', 'maximum number of rows', { parse: numberUpTo(9_999_999), default: 50 }],
    ['--all', 'all rows, without a limit']
  ] as const satisfies Rows
}

/** The filter of a list by words. */
export const searchOption = (of: string) =>
  [['--q <text>', `words of ${of}`]] as const satisfies Rows

interface ListRow<T, Sort extends string, Options extends Rows> extends Described<Options> {
  sorts: readonly Sort[]
  newestFirst?: true
  load?: Load
  /** Reads one page. */
  rows: (
    portal: Portal,
    window: Window<Sort>,
    given: Given<Options>,
    ...args: string[]
  ) => Promise<Page<T>>
  columns: readonly Column<T>[]
}

/** Lists rows of any number page by page. */
export const list = <T extends object, Sort extends string, const Options extends Rows = []>({
  sorts,
  newestFirst,
  options,
  load,
  rows,
  columns,
  ...row
}: ListRow<T, Sort, Options>) =>
  command<Rows>({
    ...row,
    options: [...listOptions(sorts, newestFirst), ...(options ?? [])],
    run: inPortal(
      async (portal, given, ...args) =>
        printList(
          given as ListOptions<Sort>,
          async (window) => rows(portal, window, given as Given<Options>, ...args),
          columns
        ),
      load
    )
  })

/** Shows the item with a key. */
export const show = ({
  find,
  ...row
}: Described & { find: (db: Db, key: string) => Promise<object> }) =>
  command({
    ...row,
    run: prints(async ({ db }, _, key) => find(db, key))
  })

interface Removal<Found> extends Omit<Described, 'options'> {
  find: (db: Db, key: string) => Promise<Found>
  remove: (db: Db, actor: CommandLine, wanted: { key: string }) => Promise<unknown>
  /** Says what is lost. */
  question: (key: string, found: Found) => string
}

/** Deletes the item with a key, after a question. */
export const removal = <Found>({ find, remove, question, ...row }: Removal<Found>) =>
  command({
    options: [yes],
    ...row,
    run: inPortal(async ({ db, actor }, { yes, json }, key) => {
      await requireConfirmation(question(key, await find(db, key)), yes)
      await remove(db, actor, { key })
      await done('Deleted.', json, { deleted: key })
    })
  })

interface Grants<Wanted> {
  noun: string
  granted: string
  args?: Described['args']
  example: string
  wanted: (key: string, granted: string) => Wanted
  grant: (db: Db, actor: CommandLine, wanted: Wanted) => Promise<unknown>
  revoke: (db: Db, actor: CommandLine, wanted: Wanted) => Promise<unknown>
  find: (db: Db, key: string) => Promise<object>
}

/** The commands `grant` and `revoke`. */
export function grants<Wanted>({
  noun,
  granted,
  example,
  args = {},
  wanted,
  find,
  ...of
}: Grants<Wanted>) {
  const change = (name: 'grant' | 'revoke', to: string) =>
    command({
      what: `${name} a ${granted} ${to} a ${noun}`,
      args,
      examples: [example],
      run: inPortal(async ({ db, actor }, { json }, key, given) => {
        await of[name](db, actor, wanted(key, given))
        say('Done.')
        if (json) await printItem(await find(db, key), json)
      })
    })
  return {
    [`grant <key> <${granted}>`]: change('grant', 'to'),
    [`revoke <key> <${granted}>`]: change('revoke', 'from')
  }
}
