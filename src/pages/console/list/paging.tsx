import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { Loaded } from '../../shared/load.tsx'
import type { Loading } from '../../shared/load.tsx'
import { addressOf, rangeOf } from './address.ts'
import type { Values } from './address.ts'
import { Table } from './table.tsx'
import type { TableProps } from './table.tsx'

/** Pages that *Next* leads to, by address: the page before, and the number of its first item. */
const reached = new Map<string, { before: string; first: number }>()

interface Paged {
  filters: Values
  /** Such as `users`. */
  noun: string
  /** How many there are on all pages, if that is known. */
  total?: number | undefined
}

interface PagingProps extends Paged {
  from: Loading<{ items: unknown[]; nextCursor?: string | null }>
  /** Actions for the whole list. */
  children?: ComponentChildren
}

interface LoadedTableProps<T> extends Omit<TableProps<T>, 'items'>, Partial<Paged> {
  from: Loading<{ items: T[]; nextCursor?: string | null }>
}

/** Items of a part of a view as rows, with links to the others if it has them in pages. */
export const LoadedTable = <T,>({ from, filters, noun, ...table }: LoadedTableProps<T>) => (
  <Loaded from={from}>
    {({ items }) => (
      <>
        <Table {...table} items={items} />
        {filters && noun && <Paging {...{ from, filters, noun }} />}
      </>
    )}
  </Loaded>
)

/** Which part of a list is shown, and links to the parts before and after it. */
export function Paging({ from, filters, noun, total, children }: PagingProps) {
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
        {rangeOf(here?.first, count, next === undefined, noun, total)}
      </p>
      {children}
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
