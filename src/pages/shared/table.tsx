import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export interface Column<T> {
  title: string
  cell(item: T): ComponentChildren
}

interface TableProps<T> {
  /** For screen readers. */
  label: string
  columns: readonly Column<T>[]
  items: readonly T[]
  keyOf(item: T): string
  /** In place of the table when it has no rows. */
  empty: string
}

/** Scrolls sideways where it is wider than the page. */
export function Table<T>({ label, columns, items, keyOf, empty }: TableProps<T>) {
  const region = useRef<HTMLDivElement>(null)
  const hadFocus = region.current?.contains(document.activeElement)
  useLayoutEffect(() => {
    // The row that had the focus is gone.
    const isLost = document.activeElement === document.body
    if (hadFocus && isLost) region.current?.focus({ preventScroll: true })
  })
  if (items.length === 0) return <p>{empty}</p>
  return (
    <div ref={region} class="overflow-auto" role="region" aria-label={label} tabIndex={0}>
      <table class="striped">
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map(({ title, cell }) => (
                <td key={title}>{cell(item)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
