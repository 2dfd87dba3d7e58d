import { InvalidArgumentError } from 'commander'
import type { Assurance } from '../../db/schema/sessions.ts'
import { UsageError } from './errors.ts'

export interface Json {
  json?: true
}

export interface ListOptions<Sort extends string> extends Json {
  limit: number
  sort: Sort | `-${Sort}`
  all?: true
}

export type OptionRow = readonly [flags: string, what: string, rules?: OptionRules]

interface OptionRules {
  required?: true
  choices?: readonly string[]
  parse?: (text: string, before: never) => unknown
  default?: unknown
  conflicts?: string
}

export type Parse = (text: string) => unknown
export type Rows = readonly OptionRow[]

// Commander calls the value of `--dry-run` dryRun, and that of `--no-password` password.

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name
type NameOf<Flags> = Flags extends `--no-${infer Name}`
  ? Camel<Name>
  : Flags extends `--${infer Name} ${string}`
    ? Camel<Name>
    : Flags extends `--${infer Name}`
      ? Camel<Name>
      : never
type ValueOf<Row extends OptionRow> = Row[2] extends {
  parse: (text: string, before: never) => infer V
}
  ? V
  : Row[2] extends { choices: readonly (infer V)[] }
    ? V
    : Row[0] extends `${string} <${string}`
      ? string
      : Row[0] extends `--no-${string}`
        ? boolean
        : true
type IsPresent<Row extends OptionRow> = Row[0] extends `--no-${string}`
  ? true
  : Row[2] extends { required: true } | { default: string | number }
    ? true
    : false

/** The values of options, by the names that Commander gives them. */
export type Given<Options extends Rows> = Json & {
  [Row in Options[number] as IsPresent<Row> extends true ? NameOf<Row[0]> : never]: ValueOf<Row>
} & {
  [Row in Options[number] as IsPresent<Row> extends true ? never : NameOf<Row[0]>]?: ValueOf<Row>
}

export const jsonOption: OptionRow = ['--json', 'print JSON for scripts, errors included']
export const yes = ['--yes', 'do not ask for confirmation'] as const

/** An option with a number up to `max`. */
export const count = <Flags extends string>(flags: Flags, what: string, max: number) =>
  [flags, what, { parse: numberUpTo(max) }] as const

export const countOr = <Flags extends string>(
  flags: Flags,
  what: string,
  max: number,
  byDefault: number
) => [flags, what, { parse: numberUpTo(max), default: byDefault }] as const

/** An option that can be given several times. */
export const repeated = <Flags extends string>(flags: Flags, what: string) => {
  const parse = (value: string, before: string[] = []) => [...before, value]
  return [flags, what, { parse }] as const
}

export const whoHelp = 'id or e-mail address of the user'

/** Decides whether roles that require a second factor count. */
export const assuranceOption = [
  '--assurance <factors>',
  'number of factors proved by the user, 1 or 2; by default those of a sign-in with the password',
  { parse: numberUpTo(2) as (text: string) => Assurance }
] as const

export function numberUpTo(max: number) {
  return numberFrom(1, max)
}

export function numberFrom(min: number, max: number) {
  return (text: string) => {
    if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) < min || Number(text) > max) {
      throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}.`)
    }
    return Number(text)
  }
}

/** @param what names the alternatives, of which exactly one must be given */
export function requireOne(what: string, ...given: unknown[]) {
  if (given.filter((each) => each !== undefined).length !== 1) {
    throw new UsageError(`Specify ${what}.`)
  }
}
