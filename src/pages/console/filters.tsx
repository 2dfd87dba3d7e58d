import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Link, useLocation, useSearch } from 'wouter-preact'

type Values<Name extends string> = Partial<Record<Name | 'cursor', string>>

/**
 * The filters of a list, which are in the address, so that a view can be bookmarked and shared.
 * Empty ones are left out. A new filter starts at the first page.
 */
export function useFilters<const Name extends string>(
  names: readonly Name[]
): [values: Values<Name>, set: (values: Partial<Record<string, string>>) => void] {
  const search = useSearch()
  const given = new URLSearchParams(search)
  const [path, navigate] = useLocation()
  const values: Values<Name> = {}
  for (const name of [...names, 'cursor' as const]) {
    const value = given.get(name)
    if (value) values[name] = value
  }
  const set = (next: Partial<Record<string, string>>) => {
    const address = addressOf(path, next)
    // Enter changes an input and submits the form.
    if (address !== (search === '' ? path : `${path}?${search}`)) navigate(address)
  }
  return [values, set]
}

/** The address of a view with these filters. */
export function addressOf(path: string, values: Partial<Record<string, string>>) {
  const given = Object.entries(values).filter(([, value]) => value) as [string, string][]
  const search = new URLSearchParams(given).toString()
  return search === '' ? path : `${path}?${search}`
}

/**
 * The inputs of filters, by their names. They count when one changes, or with Enter. They have no
 * value of their own: they get those of the address, and keep what is being typed.
 */
export function Filters({
  values,
  onChange,
  children
}: {
  values: Values<string>
  onChange(values: Record<string, string>): void
  children: ComponentChildren
}) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    for (const control of form.current?.elements ?? []) {
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
        control.value = values[control.name] ?? ''
      }
    }
  }, [JSON.stringify(values)])
  const read = (form: HTMLFormElement) =>
    onChange(Object.fromEntries(new FormData(form)) as Record<string, string>)
  return (
    <form
      ref={form}
      role="search"
      class="filters"
      autocomplete="off" // ids and keys, which a browser has no suggestions for
      onChange={(event) => read(event.currentTarget)}
      onSubmit={(event) => {
        event.preventDefault()
        read(event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}

interface FilterSelectProps {
  label: string
  name: string
  /** An empty value is no filter. */
  options: readonly (readonly [value: string, text: string])[]
}

/** A filter that has one of several values. */
export const FilterSelect = ({ label, name, options }: FilterSelectProps) => (
  <label>
    {label}
    <select name={name}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

/** The order of a list. `orElse` is the sort key for the oldest first. */
export const NewestFirst = ({ orElse }: { orElse: 'at' | 'createdAt' }) => (
  <FilterSelect
    label="Order"
    name="sort"
    options={[
      ['', 'Newest first'],
      [orElse, 'Oldest first']
    ]}
  />
)

/** Links to the first and to the next page of a list with these filters. */
export function Paging({
  filters,
  nextCursor
}: {
  filters: Values<string>
  nextCursor: string | null
}) {
  const [path] = useLocation()
  const { cursor, ...others } = filters
  return (
    <nav aria-label="Pages of the list">
      <ul>
        {cursor !== undefined && (
          <li>
            <Link href={addressOf(path, others)}>First page</Link>
          </li>
        )}
        {nextCursor !== null && (
          <li>
            <Link href={addressOf(path, { ...others, cursor: nextCursor })}>Next page</Link>
          </li>
        )}
      </ul>
    </nav>
  )
}
