import { useRef } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { Loading } from '../../shared/load.tsx'
import { addressOf } from './address.ts'
import type { Values } from './address.ts'
import { rangeOf } from './range.ts'

/** Pages that *Next* leads to, by address: the page before, and the number of its first item. */
const reached = new Map<string, { before: string; first: number }>()

interface PagingProps {
  from: Loading<{ items: unknown[]; nextCursor: string | null }>
  filters: Values
  /** What they are, such as `users`. */
  noun: string
}

/** Which part of a list is shown, and links to the parts before and after it. */
export function Paging({ from, filters, noun }: PagingProps) {
  const [path] = useLocation()
  // While the next page is loaded, the items are those of the last one.
  const shown = useRef(filters)
  if (!from.isOld) shown.current = filters
  const { cursor, ...others } = shown.current
  const { items: { length: count } = [], nextCursor = null } = from.value ?? {}
  const address = addressOf(path, shown.current)
  const here = cursor === undefined ? { first: 1 } : reached.get(address)
  const next = nextCursor === null ? undefined : addressOf(path, { ...others, cursor: nextCursor })
  if (next !== undefined && here) {
    reached.set(next, { before: address, first: here.first + count })
  }
  if (count === 0) return null
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
