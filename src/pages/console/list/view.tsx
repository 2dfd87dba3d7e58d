import './list.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { capital } from '../../shared/capital.ts'
import { Choice, WithMistakes } from '../../shared/controls.tsx'
import { Action, fieldsOf } from '../../shared/form.tsx'
import { Loaded, reloadAll } from '../../shared/load.tsx'
import type { Loading } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { mistakesOf } from '../../shared/problem.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { CommandLine } from '../command-line.tsx'
import type { Words } from '../command-line.tsx'
import { csvOf } from './csv.ts'
import { grouped } from '../grouped.ts'
import { report } from '../shell/status.tsx'
import { Paging } from './paging.tsx'
import { folds, Table } from './table.tsx'
import type { Column } from './table.tsx'
import { addressOf } from './address.ts'
import type { SetValues, Values } from './address.ts'

interface ListViewProps<T, Sort extends string> {
  title: string
  /** Says what the list is for. */
  about: ComponentChildren
  /** The primary action. */
  action?: ComponentChildren
  /** Names the items, such as `users`. By default the title. */
  noun?: string
  /** These four are what `useList` returns. */
  filters: Values & { sort?: Sort }
  onFilter: SetValues
  from: Loading<{ items: T[]; nextCursor: string | null; total?: number }>
  readAll(): Promise<object[]>
  /** The values of the fields, if they differ from the address. */
  inputs?: Values
  /** Fields for filters: those that people use most, and others. */
  fields?: ComponentChildren
  more?: MoreFilters
  /** Actions for the whole list. */
  tools?: ComponentChildren
  /** Between the filters and the list. */
  summary?: ComponentChildren
  /** The items as rows of a table, or shown in another way by `children`. */
  columns?: readonly Column<T, NoInfer<Sort>>[]
  keyOf?(item: T): string
  children?(items: T[]): ComponentChildren
  /** Sort keys of the API. The first is the order without any. */
  orders?: readonly NoInfer<Sort>[]
  /** In place of the list, and of the action, when there is nothing without any filter. */
  empty: ComponentChildren
  /** Lists the same. The filters are added to a text. */
  command: string | Words
}

const orderTexts: Record<string, string> = {
  key: 'By key',
  name: 'By name',
  email: 'By address',
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  '-at': 'Newest first',
  at: 'Oldest first'
}

/** A list of the API: its filters, its items, and the way to the next ones. */
export function ListView<T, Sort extends string = never>(props: ListViewProps<T, Sort>) {
  const { title, about, action, filters, onFilter, from, inputs = filters } = props
  const { noun = title.toLowerCase(), fields, more, tools, summary, children } = props
  const { readAll, columns = [], keyOf, orders = [], empty, command } = props
  const [view] = useLocation()
  const { cursor, sort, ...others } = filters
  const isFiltered = Object.values(others).some((value) => value !== undefined)
  const isEmpty = !isFiltered && cursor === undefined && from.value?.items.length === 0
  const sorted = columns.filter(({ sort }) => sort).at(-1)
  const usual = orders[0]
  const order = {
    by: sort ?? usual,
    hrefOf: (key: string) => addressOf(view, { ...others, ...(key !== usual && { sort: key }) })
  }
  return (
    <Page
      title={title}
      about={about}
      action={
        <>
          <Action label="Reload" kind="outline" onPress={reloadAll} />
          {!isEmpty && action}
        </>
      }
    >
      <WithMistakes mistakes={mistakesOf(from.error)}>
        <div class="toolbar">
          <Filters values={inputs} onChange={onFilter} more={more}>
            {fields}
            {orders.length > 1 && !isEmpty && (
              // Where the heads that sort are shown, those are enough.
              <div
                class={
                  sorted && (sorted.rank === 'less' && folds(columns) ? 'if-folded' : 'if-cards')
                }
              >
                <Choice
                  label="Order"
                  name="sort"
                  options={orders.map((key) => [key === usual ? '' : key, orderTexts[key] ?? key])}
                />
              </div>
            )}
          </Filters>
          {tools}
        </div>
      </WithMistakes>
      {summary}
      <Loaded from={from}>
        {({ items, nextCursor }) =>
          items.length > 0 ? (
            <>
              {children?.(items) ?? (
                <Table
                  {...{ columns, items, order, ...(keyOf && { keyOf }) }}
                  label={title}
                  empty=""
                />
              )}
              <Paging {...{ from, filters, noun }} total={from.value?.total}>
                {exported.includes(noun) && (
                  <Action label="Export CSV" kind="plain" onPress={() => exportAs(noun, readAll)} />
                )}
              </Paging>
              <CommandLine
                words={typeof command === 'string' ? [command, ...wordsOf(filters)] : command}
              />
            </>
          ) : isEmpty ? (
            empty
          ) : (
            <div class="empty">
              <p role="status">
                {isFiltered
                  ? `No ${noun} match these filters${nextCursor === null ? '' : ' so far'}.`
                  : `There are no more ${noun}.`}
              </p>
              {nextCursor === null ? (
                <Link href={view}>Show all {noun}</Link>
              ) : (
                <Link href={addressOf(view, { ...filters, cursor: nextCursor })}>Look further</Link>
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

/** Filters as options of a command, such as `--user` for `userId`. */
export const wordsOf = ({ cursor, ...filters }: Values): Words =>
  Object.entries(filters).map(([name, value]) => [`--${name.replace(/Id$/, '')}`, value])

/** Lists that auditors ask for. */
const exported = ['records', 'users', 'sessions']

async function exportAs(noun: string, readAll: () => Promise<object[]>) {
  const items = await readAll()
  const name = `${noun === 'records' ? 'activity' : noun}.csv`
  saveFile(name, csvOf(items), 'text/csv')
  const [things, are] = items.length === 1 ? [noun.replace(/s$/, ''), 'is'] : [noun, 'are']
  report(`${grouped(items.length)} ${things} ${are} in ${name}.`)
}

/** Options of a filter, which `any` of the values passes when none is chosen. */
export const optionsOf = (any: string, ...values: string[]) => [
  ['', any] as const,
  ...values.map((value) => [value, capital(value)] as const)
]

interface FiltersProps {
  values: Values
  onChange: SetValues
  /** The filters that people use most. */
  children: ComponentChildren
  more?: MoreFilters | undefined
}

/** Filters that are open while one of them is set. */
interface MoreFilters {
  names: readonly string[]
  fields: ComponentChildren
}

const pause = 250

/**
 * Fields for filters, by their names. Filters apply on change and on Enter, and those of the type
 * `search` while the user types. The fields are uncontrolled: they get the values of the address,
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
