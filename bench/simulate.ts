import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { explain } from '../src/commands/errors.ts'
import { printJson, tablePrinter, write } from '../src/commands/output.ts'
import type { Column, Row } from '../src/commands/output.ts'
import { results, round } from './figures.ts'
import { assumptionNames, assumptions } from './growth/assumptions.ts'
import type { Assumptions } from './growth/assumptions.ts'
import { costNames } from './growth/costs.ts'
import type { CostName, Costs } from './growth/costs.ts'
import { endsOf } from './growth/limits.ts'
import { model } from './growth/model.ts'

// Computes where the primary's processor time, connections and WAL go in the busiest hour, from
// assumptions and from measured costs (`npm run check -- costs`): `npm run check -- simulate --help`.

type Measured = Costs & {
  at: string
  postgres: string
  machine: { processor: string; cores: number }
  rows: Record<string, number>
}

const costsFile = path.join(results, 'costs.json')

const command = new Command('npm run check -- simulate --')
  .description('Computes what a portal of some size asks of the primary in the busiest hour.')
  .option('--json', 'print JSON for scripts')
  .exitOverride()
  .configureOutput({ outputError: () => {} })
  .action(async ({ json, ...given }: Assumptions & { json?: true }) => {
    const costs = JSON.parse(readFileSync(costsFile, 'utf8')) as Measured
    const result = { assumptions: given, ...model(given, costs), ends: endsOf(given, costs) }
    await (json ? printJson(result) : show(given, costs, result))
  })
for (const name of assumptionNames) {
  const { what, unit, default: value } = assumptions[name]
  command.option(
    `--${optionOf(name)} <number>`,
    unit === '' ? what : `${what}, ${unit}`,
    (text: string) => numberOf(text, 'notZero' in assumptions[name]),
    value
  )
}

try {
  await command.parseAsync()
} catch (error) {
  const { message, exitCode } = explain(error)
  if (message !== '') process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
}

function optionOf(name: string) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function numberOf(text: string, notZero: boolean) {
  const value = Number(text)
  if (!/^\d/.test(text) || !Number.isFinite(value) || (notZero && value === 0)) {
    throw new InvalidArgumentError(`Must be a number, and not negative${notZero ? ' or 0' : ''}.`)
  }
  return value
}

type Result = ReturnType<typeof model> & { ends: ReturnType<typeof endsOf> }

async function show(given: Assumptions, costs: Measured, { ends, ...result }: Result) {
  const { reads, sources, total, tables } = result
  await table(
    'Assumptions',
    assumptionNames.map((name) => ({ name, ...assumptions[name], value: given[name] })),
    [
      ['option', ({ name }) => `--${optionOf(name)}`],
      ['value', ({ value }) => number(value)],
      'unit',
      ['default', (row) => number(row.default)],
      'what'
    ]
  )
  await table(
    `Measured costs: ${costs.at}, ${costs.postgres}, ${costs.machine.processor}, ` +
      `${number(costs.rows.users ?? NaN)} users`,
    (Object.keys(costNames) as CostName[]).map((name) => ({
      event: costNames[name],
      ...costs.events[name]
    })),
    [
      'event',
      ['µs', ({ microseconds }) => number(microseconds)],
      ['WAL bytes', ({ wal }) => number(wal)],
      ['with images', ({ walFull }) => number(walFull)],
      ['statements', ({ statements }) => number(statements)],
      ['commits', ({ commits }) => number(commits)]
    ]
  )
  await table(
    'One instance, in a second of the busiest hour',
    [
      { what: 'session checks', value: reads.checks },
      { what: 'reads of the epochs', value: reads.epochs },
      { what: 'of these, after a change: share', value: reads.epochsChanged },
      { what: 'shards read', value: reads.shards },
      { what: 'principals read', value: reads.principals },
      { what: 'checks that are the first on the instance: share', value: reads.shares.first },
      { what: 'of the others, read again: share', value: reads.shares.again },
      { what: 'changes of users, on all instances', value: reads.changes }
    ],
    ['what', ['value', ({ value }) => number(value)]]
  )
  await table(
    'The primary, in the busiest hour',
    [...sources, { source: 'total', ...total }],
    [
      'source',
      ['a second', ({ perSecond }) => number(perSecond)],
      ['cores', ({ cores }) => number(cores)],
      ['WAL MB/s', ({ wal }) => number(wal)],
      ['with images', ({ walFull }) => number(walFull)],
      ['GB a day', ({ walDaily }) => number(walDaily)],
      ['busy connections', ({ connections }) => number(connections)]
    ]
  )
  await table('Tables', tables, [
    'table',
    ['rows', ({ rows }) => number(rows)],
    ['GB', ({ gigabytes }) => number(gigabytes)],
    ['new rows an hour', ({ newDaily }) => number(newDaily / 24)]
  ])
  await table('What ends first', ends, [
    'what',
    ['used', ({ used }) => number(used)],
    ['limit', ({ limit }) => number(limit)],
    'unit',
    ['share', ({ used, limit }) => number(used / limit)],
    [
      'reached at',
      ({ reachedAt = {} }) =>
        Object.entries(reachedAt).map(([name, value]) => `${number(value)} ${name}`)
    ]
  ])
  await write(
    'Not in it: autovacuum besides that of deleted rows, checkpoints, replication, backups,\n' +
      'administration, flags, and the requests of apps. Arrivals are assumed to be independent.\n'
  )
}

async function table<T extends object>(
  title: string,
  rows: readonly T[],
  columns: readonly Column<T & Row>[]
) {
  await write(`${title}\n\n`)
  const printer = tablePrinter(columns)
  await printer.add(rows as readonly (T & Row)[])
  await printer.end()
  await write('\n')
}

/** With three digits, and with separators. */
function number(value: number) {
  return value === 0 ? '0' : round(value).toLocaleString('en', { maximumFractionDigits: 6 })
}
