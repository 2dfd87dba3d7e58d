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

/** The options of every list. The first sort key is the default. */
export function asList(command: Command, sorts: readonly [string, ...string[]]) {
  const both = sorts.flatMap((sort) => [sort.replace('-', ''), `-${sort.replace('-', '')}`])
  return asData(command)
    .addOption(
      new Option('--sort <order>', 'sort key; prefix with - for descending order')
        .choices(both)
        .default(sorts[0])
    )
    .addOption(
      new Option('--limit <count>', 'maximum number of rows')
        .argParser(numberUpTo(9_999_999))
        .default(50)
    )
    .option('--all', 'all rows, without a limit')
}

export const asData = (command: Command) =>
  command.option('--json', 'print JSON for scripts, errors included')

/** Whether roles that require a second factor count. */
export const assuranceOption = () =>
  new Option(
    '--assurance <factors>',
    'number of factors proved by the user, 1 or 2; by default those of a sign-in with the password'
  ).argParser(numberUpTo(2))

export const numberUpTo = (max: number) => numberFrom(1, max)

export const numberFrom = (min: number, max: number) => (text: string) => {
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) < min || Number(text) > max) {
    throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}.`)
  }
  return Number(text)
}

/** Examples at the end of the help. */
export const example = (command: Command, ...lines: string[]) =>
  command.addHelpText(
    'after',
    `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  ${line}`).join('\n')}`
  )

/** For an option that can be repeated. */
export const collect = (value: string, before: string[] = []) => [...before, value]
