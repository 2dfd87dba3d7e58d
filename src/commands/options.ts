import { InvalidArgumentError } from 'commander'
import { UsageError } from './errors.ts'

export interface Json {
  json?: true
}

export interface Confirmed extends Json {
  yes?: boolean
}

export interface ListOptions<Sort extends string> extends Json {
  limit: number
  sort: Sort | `-${Sort}`
  all?: true
}

export const whoHelp = 'id or e-mail address of the user'

/** Decides whether roles that require a second factor count. */
export const assuranceOption = [
  '--assurance <factors>',
  'number of factors proved by the user, 1 or 2; by default those of a sign-in with the password',
  { parse: numberUpTo(2) }
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

/** For an option that can be repeated. */
export const collect = (value: string, before: string[] = []) => [...before, value]

/** @param what names the alternatives, of which exactly one must be given */
export function requireOne(what: string, ...given: unknown[]) {
  if (given.filter((each) => each !== undefined).length !== 1) {
    throw new UsageError(`Specify ${what}.`)
  }
}
