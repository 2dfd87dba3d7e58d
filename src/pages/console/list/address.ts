import { useLocation, useSearch } from 'wouter-preact'
import { grouped } from '../grouped.ts'

/** Parameters of an address. What is not there has no value. */
export type Values<Name extends string = string> = Partial<Record<Name, string>>

/** @param isTyped whether the user is still typing: one entry of the history holds all of it */
export type SetValues = (values: Values, isTyped?: boolean) => void

/** Parameters of the address of a view, so that it can be bookmarked and shared. */
export function useParameters<const Name extends string>(
  names: readonly Name[]
): [values: Values<Name>, set: SetValues] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const given = new URLSearchParams(search)
  const values: Values<Name> = {}
  for (const name of names) {
    const value = given.get(name)
    if (value) values[name] = value
  }
  const set: SetValues = (next, isTyped = false) => {
    const address = addressOf(path, next)
    // Enter changes an input and submits the form.
    if (address === (search === '' ? path : `${path}?${search}`)) return
    const replace = isTyped && history.state === typed
    navigate(address, { replace, ...(isTyped && { state: typed }) })
  }
  return [values, set]
}

/** Marks the entry of the history that typing has made. */
const typed = 'typed'

/** The address of a view with these parameters. Empty ones are left out. */
export function addressOf(path: string, values: Values) {
  const given = Object.entries(values).filter(([, value]) => value) as [string, string][]
  const search = new URLSearchParams(given).toString()
  return search === '' ? path : `${path}?${search}`
}

/** Such as `41 users`, `1–50 of 312 users`, or `1–50 of more than 50 users`. */
export function rangeOf(
  first: number | undefined,
  count: number,
  isLast: boolean,
  noun: string,
  total?: number
) {
  const counted = (all: number) => `${grouped(all)} ${all === 1 ? noun.replace(/s$/, '') : noun}`
  if (first === 1 && isLast) return counted(count)
  if (first === undefined) return `${counted(count)} on this page`
  const last = first + count - 1
  const all = isLast ? last : total
  const of = all === undefined ? `more than ${counted(last)}` : counted(Math.max(all, last))
  return `${grouped(first)}–${grouped(last)} of ${of}`
}
