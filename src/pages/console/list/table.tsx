import './table.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { nextTask } from '../../shared/load.tsx'
import { isFirst } from '../../shared/restore-scroll.ts'
import { Ago } from '../../shared/time.tsx'
import { isThere } from '../parts.tsx'

export interface Column<T, Sort extends string = string> {
  title: string
  cell(item: T): ComponentChildren
  /** The second line, in grey. */
  below?(item: T): ComponentChildren
  /**
   * `less`: where more than five columns do not fit, it is a line of the first column instead.
   * `state`: a chip, which stands beside the subject on a card.
   * `does`: buttons, on the right, whose title only screen readers need.
   */
  rank?: 'less' | 'state' | 'does'
  /** Sort key of the API, without `-`. */
  sort?: Sort
  /** Whether the first click on the title sorts downwards. */
  isNewestFirst?: boolean
}

/** Buttons of a row. */
export const actions = <T,>(cell: Column<T>['cell']): Column<T, never> => ({
  title: 'Actions',
  rank: 'does',
  cell
})

/** When something began, which sorts the list. */
export const begun = <T extends { createdAt: string }>(
  title: string,
  rank?: Column<T>['rank']
): Column<T, 'createdAt'> => ({
  title,
  cell: ({ createdAt }) => <Ago at={createdAt} />,
  sort: 'createdAt',
  isNewestFirst: true,
  ...(rank && { rank })
})

interface Order {
  /** The sort key, with `-` for downwards. */
  by: string | undefined
  hrefOf(by: string): string
}

export interface TableProps<T> {
  /** For screen readers. */
  label: string
  /** The first one is the subject of the row. */
  columns: readonly Column<T>[]
  items: readonly T[]
  /** By default the id or the key. */
  keyOf?(item: T): string
  /** In place of the table when it has no rows. */
  empty: ComponentChildren
  /** If titles sort. */
  order?: Order
}

/** Whether columns of the second rank are folded into the first one where there is little room. */
export const folds = (columns: readonly unknown[]) => columns.length > 5

/** A region that takes the focus when the row that had it is gone. */
export function useFocusKept<T extends HTMLElement>() {
  const region = useRef<T>(null)
  const hadFocus = region.current?.contains(document.activeElement)
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body
    if (hadFocus && isLost) region.current?.focus({ preventScroll: true })
  })
  return region
}

/** Rows, which are cards where there is no room for columns. */
export function Table<T>(props: TableProps<T>) {
  const { label, columns, items, keyOf = keyOfItem, empty, order } = props
  const region = useFocusKept<HTMLDivElement>()
  // At the start, a few at a time, so that the page responds. Back leads to a place among all.
  const [most, setMost] = useState(isFirst ? atOnce : Infinity)
  const isWhole = most >= items.length
  useEffect(() => {
    if (!isWhole) void nextTask().then(() => setMost(most + atOnce))
  }, [most, isWhole])
  const rows = useMemo<ComponentChildren[]>(() => [], [items, columns])
  if (items.length === 0) return <p class="muted">{empty}</p>
  const isFolding = folds(columns)
  /** The values of columns that have no room. */
  const foldedOf = (item: T) =>
    columns
      .filter(({ rank }) => isFolding && rank === 'less')
      .map(({ title, cell }) => [title, cell(item)] as const)
      .filter(([, value]) => isThere(value))
      .map(([title, value]) => (
        <small key={title} class="folded">
          {title}: {value}
        </small>
      ))
  for (const item of items.slice(rows.length, most)) {
    rows.push(
      <tr key={keyOf(item)}>
        {columns.map(({ title, cell, below, rank }, index) => {
          const shown = cell(item)
          const more = below?.(item)
          const none = rank === 'does' ? null : <span class="muted">–</span>
          return (
            <td key={title} class={rank} {...(isThere(shown) && { 'data-title': title })}>
              <div>
                {index === 0 ? <strong>{shown}</strong> : isThere(shown) ? shown : none}
                {isThere(more) && <small>{more}</small>}
                {index === 0 && foldedOf(item)}
              </div>
            </td>
          )
        })}
      </tr>
    )
  }
  return (
    <div
      ref={region}
      class={isFolding ? 'table folds' : 'table'}
      role="region"
      aria-label={label}
      tabIndex={-1}
    >
      <table aria-busy={!isWhole}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Title key={column.title} column={column} {...(order && { order })} />
            ))}
          </tr>
        </thead>
        <tbody>{[...rows]}</tbody>
      </table>
    </div>
  )
}

/** About a screen of a phone. */
const atOnce = 10

const keyOfItem = (item: unknown) => {
  const { id, key } = item as { id?: string; key?: string }
  return id ?? key ?? ''
}

function Title<T>({ column, order }: { column: Column<T>; order?: Order }) {
  const { title, rank, sort, isNewestFirst } = column
  if (!order || sort === undefined) {
    return (
      <th scope="col" class={rank}>
        {rank === 'does' ? <span class="unseen">{title}</span> : title}
      </th>
    )
  }
  const [up, down] = [sort, `-${sort}`]
  const first = isNewestFirst ? down : up
  const isSorted = order.by === up || order.by === down
  const next = order.by === first ? (first === up ? down : up) : first
  return (
    <th
      scope="col"
      class={rank}
      {...(isSorted && { 'aria-sort': order.by === up ? 'ascending' : 'descending' })}
    >
      <Link href={order.hrefOf(next)}>{title}</Link>
    </th>
  )
}
