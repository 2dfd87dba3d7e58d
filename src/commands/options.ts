import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'

export interface Json {
  json?: true
}

export interface ListOptions<Sort extends string> extends Json {
  limit: number
  sort: Sort | `-${Sort}`
  all?: true
}

/** The options of every list. The first order is the default. */
export function asList(command: Command, sorts: readonly [string, ...string[]]) {
  const both = sorts.flatMap((sort) => [sort.replace('-', ''), `-${sort.replace('-', '')}`])
  return asData(command)
    .addOption(
      new Option('--sort <order>', 'the order; a minus reverses it').choices(both).default(sorts[0])
    )
    .addOption(new Option('--limit <count>', 'how many at most').argParser(count).default(50))
    .option('--all', 'all of them, without a limit')
}

export const asData = (command: Command) =>
  command.option('--json', 'as JSON, for scripts; errors too')

function count(text: string) {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('A whole number from 1 on.')
  return Number(text)
}

/** Examples at the end of the help. */
export const example = (command: Command, ...lines: string[]) =>
  command.addHelpText(
    'after',
    `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  ${line}`).join('\n')}`
  )
