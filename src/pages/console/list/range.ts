import { capital } from '../../shared/capital.ts'

/**
 * Such as `203 users`, or `Users 51–100`.
 * @param first the number of the first item, if it is known
 */
export function rangeOf(first: number | undefined, count: number, isLast: boolean, noun: string) {
  const one = noun.replace(/s$/, '')
  if (first === 1 && isLast) return `${count} ${count === 1 ? one : noun}`
  if (first === undefined) return `${count} ${count === 1 ? one : noun} on this page`
  const last = first + count - 1
  return `${capital(noun)} ${first}–${last}${isLast ? ` of ${last}` : ''}`
}
