import { Fragment } from 'preact'
import type { ComponentChildren } from 'preact'
import { Loaded } from '../shared/load.tsx'
import type { Loading } from '../shared/load.tsx'
import { Ago } from '../shared/time.tsx'
import { ConfirmedAction } from './parts.tsx'
import type { Reports } from './parts.tsx'
import { say } from './say.ts'
import type { Key } from './say.ts'

interface ItemsProps<Item> {
  /** The keys of the words begin with it. */
  kind: 'passkeys' | 'providers' | 'keys'
  level?: 'h2' | 'h3'
  from: Loading<Item[]>
  reports: Reports
  onRemove(item: Item): Promise<unknown>
  above?: ComponentChildren
  /** One row, with the button that removes the item. */
  row(item: Item, remove: ComponentChildren): ComponentChildren
  children?: ComponentChildren
}

/** A section with the items of one kind that the user has, each of which can be removed. */
export function Items<Item extends { id: string; name: string }>(props: ItemsProps<Item>) {
  const { kind, level: Heading = 'h2', from, reports, onRemove, above, row, children } = props
  const remove = (item: Item) => async () => {
    await onRemove(item)
    reports.report(say(`${kind}-removed`, { name: item.name }))
  }
  return (
    <section>
      <Heading>{say(kind)}</Heading>
      <p class="muted">{say(`${kind}-text`)}</p>
      {above}
      <Loaded from={from}>
        {(items) => (
          <>
            {items.length === 0 && <p>{say(`${kind}-none`)}</p>}
            <ul class="rows items" aria-label={say(kind)}>
              {items.map((item) =>
                row(
                  item,
                  <ConfirmedAction
                    label={say(`${kind}-remove`)}
                    title={say(`${kind}-remove-title`, { name: item.name })}
                    text={say(`${kind}-remove-text`)}
                    onConfirm={remove(item)}
                  />
                )
              )}
            </ul>
          </>
        )}
      </Loaded>
      {reports.status}
      {children}
    </section>
  )
}

interface RowProps {
  name: string
  /** Shown after the name. */
  state?: ComponentChildren
  above?: string | null
  times: readonly (readonly [text: Key, at: string | null])[]
  below?: string | null
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** One item of a list: its name, its times, and what the user can do with it. */
export const Row = ({ name, state, above, times, below, actions, children }: RowProps) => (
  <li>
    <div>
      <strong>{name}</strong> {state}
      <br />
      <small class="muted">
        {above && (
          <>
            {above}
            <br />
          </>
        )}
        {times
          .filter(([, at]) => at !== null)
          .map(([text, at], index) => (
            <Fragment key={text}>
              {index > 0 && ', '}
              <When text={text} at={at ?? ''} />
            </Fragment>
          ))}
        {below && (
          <>
            <br />
            {below}
          </>
        )}
      </small>
    </div>
    {actions && <div class="actions">{actions}</div>}
    {children}
  </li>
)

/** A text about a `{time}`, if it has one, which is said as people say it. */
export function When({ text, at }: { text: Key; at: string }) {
  const [before, after] = say(text).split('{time}')
  return (
    <>
      {before}
      {after !== undefined && <Ago at={at} />}
      {after}
    </>
  )
}
