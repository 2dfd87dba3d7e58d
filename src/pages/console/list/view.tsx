import './list.css'
import type { ComponentChildren } from 'preact'
import { Link, useLocation } from 'wouter-preact'
import { Choice, WithMistakes } from '../../shared/controls.tsx'
import { Action } from '../../shared/form.tsx'
import { Loaded, renew } from '../../shared/load.tsx'
import type { Loading } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { mistakesOf } from '../../shared/problem.tsx'
import { CommandLine } from '../command-line.tsx'
import type { Word } from '../command-line.tsx'
import { addressOf } from './address.ts'
import type { SetValues, Values } from './address.ts'
import { Filters } from './filters.tsx'
import type { MoreFilters } from './filters.tsx'
import { Paging } from './paging.tsx'
import { Table } from './table.tsx'
import type { Column } from './table.tsx'

interface ListViewProps<T, Sort extends string> {
  title: string
  /** What the list is for. */
  about: ComponentChildren
  /** The primary action. */
  action?: ComponentChildren
  /** What the items are, such as `users`. */
  noun: string
  /** These three are what `useList` returns. */
  filters: Values & { sort?: Sort }
  onFilter: SetValues
  from: Loading<{ items: T[]; nextCursor: string | null }>
  /** What the fields show, if it is not what the address has. */
  inputs?: Values
  /** Fields for filters: those that people use most, and others. */
  fields?: ComponentChildren
  more?: MoreFilters
  /** What concerns the whole list. */
  tools?: ComponentChildren
  /** Between the filters and the list. */
  summary?: ComponentChildren
  /** How the items are shown: as rows of a table, or in another way. */
  show: Rows<T, NoInfer<Sort>> | ((items: T[]) => ComponentChildren)
  /** Sort keys with their texts. The first is the order without any. */
  orders?: readonly (readonly [key: NoInfer<Sort>, text: string])[]
  /** In place of the list, and of the action, when there is nothing without any filter. */
  empty: ComponentChildren
  command: readonly Word[]
}

interface Rows<T, Sort extends string> {
  columns: readonly Column<T, Sort>[]
  keyOf(item: T): string
}

/** A list of the API: its filters, its items, and the way to the next ones. */
export function ListView<T, Sort extends string = never>(props: ListViewProps<T, Sort>) {
  const { title, about, action, noun, filters, onFilter, from, inputs = filters } = props
  const { fields, more, tools, summary, show, orders = [], empty, command } = props
  const [view] = useLocation()
  const { cursor, sort, ...others } = filters
  const isFiltered = Object.values(others).some((value) => value !== undefined)
  const isEmpty = !isFiltered && cursor === undefined && from.value?.items.length === 0
  const rows = typeof show === 'function' ? undefined : show
  const sorted = rows?.columns.filter(({ sort }) => sort).at(-1)
  const usual = orders[0]?.[0]
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
          <Action label="Reload" kind="outline" onPress={renew} />
          {!isEmpty && action}
        </>
      }
    >
      <WithMistakes mistakes={mistakesIn(from.error)}>
        <div class="toolbar">
          <Filters values={inputs} onChange={onFilter} more={more}>
            {fields}
            {orders.length > 1 && !isEmpty && (
              // Where the heads that sort are shown, those are enough.
              <div class={sorted && (sorted.rank === 'less' ? 'if-folded' : 'if-cards')}>
                <Choice
                  label="Order"
                  name="sort"
                  options={orders.map(([key, text]) => [key === usual ? '' : key, text])}
                />
              </div>
            )}
          </Filters>
          {tools}
        </div>
      </WithMistakes>
      {summary}
      <Loaded from={from}>
        {({ items }) =>
          items.length > 0 ? (
            <>
              {typeof show === 'function' ? (
                show(items)
              ) : (
                <Table label={title} items={items} empty="" order={order} {...show} />
              )}
              <Paging {...{ from, filters, noun }} />
              <CommandLine words={command} />
            </>
          ) : isEmpty ? (
            empty
          ) : (
            <div class="empty">
              <p role="status">
                {isFiltered ? `No ${noun} match these filters.` : `There are no more ${noun}.`}
              </p>
              <Link href={view}>Show all {noun}</Link>
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

/** What is wrong with filters, by their names. */
const mistakesIn = (error: unknown) =>
  Object.fromEntries(
    Object.entries(mistakesOf(error)).map(([name, text]) => [name.replace('query/', ''), text])
  )
