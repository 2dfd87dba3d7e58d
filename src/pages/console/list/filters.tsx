import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { fieldsOf } from '../../shared/form.tsx'
import type { SetValues, Values } from './address.ts'

interface FiltersProps {
  values: Values
  onChange: SetValues
  /** Those that people use most. */
  children: ComponentChildren
  more?: MoreFilters | undefined
}

/** Filters that are open while one of them is set. */
export interface MoreFilters {
  names: readonly string[]
  fields: ComponentChildren
}

const pause = 250 // milliseconds without a key

/**
 * Fields for filters, by their names. They count when one changes and with Enter, and those of the
 * type `search` while one types. They have no value of their own: they get those of the address,
 * and keep what is being typed.
 */
export function Filters({ values, onChange, children, more }: FiltersProps) {
  const form = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const typed = useRef<{ control: EventTarget; value: string }>()
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    for (const control of form.current?.elements ?? []) {
      const isInput = control instanceof HTMLInputElement || control instanceof HTMLSelectElement
      if (!isInput || control.name === '') continue
      const value = values[control.name] ?? ''
      if (typed.current?.control === control) {
        if (typed.current.value === value) continue // by now, more may have been typed
        typed.current = undefined
      }
      control.value = value
    }
  }, [JSON.stringify(values)])
  const read = (isTyped = false) => {
    clearTimeout(timer.current)
    if (!isTyped) typed.current = undefined
    if (form.current) onChange(fieldsOf(form.current), isTyped)
  }
  return (
    <form
      ref={form}
      role="search"
      class="filters"
      onInput={({ target }) => {
        if (!(target instanceof HTMLInputElement)) return
        const { name, type } = target
        if (type !== 'search' || name === '') return
        clearTimeout(timer.current)
        timer.current = setTimeout(() => {
          typed.current = { control: target, value: target.value }
          read(true)
        }, pause)
      }}
      onChange={() => read()}
      onSubmit={(event) => {
        event.preventDefault()
        read()
      }}
    >
      {children}
      {more && (
        <details class="more" open={more.names.some((name) => values[name] !== undefined)}>
          <summary>More filters</summary>
          <div class="filters">{more.fields}</div>
        </details>
      )}
    </form>
  )
}
