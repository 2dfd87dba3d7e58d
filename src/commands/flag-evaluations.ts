import { Option } from 'commander'
import type { Command } from 'commander'
import { evaluationDays, leastStaleDays } from '../../db/schema/flag-evaluations.ts'
import { readEvaluations } from '../domain/flags/daily-evaluations.ts'
import { listStaleFlags } from '../domain/flags/stale.ts'
import { printList } from './list.ts'
import { asData, asList, example, numberFrom, numberUpTo } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, tablePrinter } from './output.ts'
import { withPortal } from './portal.ts'

interface Period extends Json {
  days: number
}

export function addEvaluations(flag: Command) {
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

export function addStale(flag: Command) {
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
