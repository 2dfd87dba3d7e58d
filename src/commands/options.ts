import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import type { Page, Window } from '../domain/pages.ts'

export interface ListOptions<Sort extends string> { limit: number, sort: Sort | `-${Sort}`, all?: true, json?: true }

/** The options of every list. The first order is the default. */
export function asList (command: Command, sorts: readonly [string, ...string[]]) {
  const both = sorts.flatMap((sort) => [sort.replace('-', ''), `-${sort.replace('-', '')}`])
  return asData(command)
    .addOption(new Option('--sort <order>', 'the order; a minus turns it round').choices(both).default(sorts[0]))
    .addOption(new Option('--limit <count>', 'how many at most').argParser(count).default(50))
    .option('--all', 'every one there is')
}

export const asData = (command: Command) => command.option('--json', 'as JSON, for machines')

/** The rows of a list that were asked for, walked page by page. */
export async function collect<T, Sort extends string> ({ limit, all, sort }: ListOptions<Sort>, list: (window: Window<Sort>) => Promise<Page<T>>): Promise<T[]> {
  const rows: T[] = []
  const wanted = all ? Infinity : limit
  for (let after: unknown[] | undefined; ;) {
    const { items, next } = await list({ sort, after, limit: Math.min(wanted - rows.length, 1000) })
    rows.push(...items)
    if (!next || rows.length >= wanted) return rows
    after = next
  }
}

function count (text: string) {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('A whole number from 1 on.')
  return Number(text)
}

/** An example at the end of the help. */
export const example = (command: Command, ...lines: string[]) => command.addHelpText('after', `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
