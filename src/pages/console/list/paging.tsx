import { Link, useLocation } from 'wouter-preact'
import { addressOf } from './address.ts'
import type { Values } from './address.ts'
import { rangeOf } from './range.ts'

/** Pages that *Next* leads to, by address: the page before, and the number of its first item. */
const reached = new Map<string, { before: string; first: number }>()

interface PagingProps {
  filters: Values
  nextCursor: string | null
  /** Items on this page. */
  count: number
  /** What they are, such as `users`. */
  noun: string
}

/** Which part of a list is shown, and links to the parts before and after it. */
export function Paging({ filters, nextCursor, count, noun }: PagingProps) {
  const [path] = useLocation()
  const { cursor, ...others } = filters
  const address = addressOf(path, filters)
  const here = cursor === undefined ? { first: 1 } : reached.get(address)
  const next = nextCursor === null ? undefined : addressOf(path, { ...others, cursor: nextCursor })
  if (next !== undefined && here) {
    reached.set(next, { before: address, first: here.first + count })
  }
  return (
    <nav class="paging" aria-label="Pages of the list">
      <p class="muted" role="status">
        {rangeOf(here?.first, count, next === undefined, noun)}
      </p>
      <ul>
        {cursor !== undefined && (
          <li>
            {here && 'before' in here ? (
              <Link href={here.before}>Previous</Link>
            ) : (
              <Link href={addressOf(path, others)}>First page</Link>
            )}
          </li>
        )}
        {next !== undefined && (
          <li>
            <Link href={next}>Next</Link>
          </li>
        )}
      </ul>
    </nav>
  )
}
