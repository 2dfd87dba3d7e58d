import { Fragment } from 'preact'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { browserOf } from '../../common/browsers.ts'
import { Dialog } from '../shared/dialog.tsx'
import { Action, OneAction } from '../shared/form.tsx'
import { Loaded } from '../shared/load.tsx'
import type { Loading } from '../shared/load.tsx'
import { Ago } from '../shared/time.tsx'
import { addressOf } from './links.tsx'
import { ConfirmedAction, useStatus } from './parts.tsx'
import { say } from './say.ts'
import type { Key } from './say.ts'

interface SettingProps {
  title: string
  /** Shown after the title. */
  chip?: ComponentChildren
  state: ComponentChildren
  /** The text of the one button, if there is something to do. */
  button?: string | undefined
  /** The view below /account to which it leads. */
  href?: string
  isDangerous?: boolean
  /**
   * Runs before the dialog opens, or is all that the button does. A text that it resolves to says
   * what it has done.
   */
  onPress?(): unknown
  /** `close` ends it. The row then announces what was done. */
  dialog?(close: (done?: string) => void): ComponentChildren
}

/** A row of a page: how something is on the left, and a button on the right. */
export function Setting(props: SettingProps) {
  const { title, chip, state, button, href, isDangerous = false, onPress, dialog } = props
  const name = { 'aria-label': `${button}: ${title}` }
  const kind = isDangerous ? 'dangerous' : 'outline'
  const [isOpen, setOpen] = useState(false)
  const { status, report } = useStatus()
  const close = (done?: string) => {
    setOpen(false)
    if (done !== undefined) report(done)
  }
  const action =
    href !== undefined ? (
      <Link href={addressOf(href)} role="button" class={kind} {...name}>
        {button}
      </Link>
    ) : (
      <Action
        label={button}
        {...name}
        kind="outline"
        isDangerous={isDangerous}
        onPress={async () => {
          report('')
          const done = await onPress?.()
          setOpen(dialog !== undefined)
          if (typeof done === 'string') report(done)
        }}
      />
    )
  return (
    <Row name={title} state={chip} above={state} below={status} actions={button && action}>
      {isOpen && dialog?.(close)}
    </Row>
  )
}

interface ItemsProps<Item> {
  /** The keys of the words begin with it. */
  kind: 'passkeys' | 'providers' | 'keys'
  from: Loading<Item[]>
  onRemove(item: Item): Promise<unknown>
  /** Closes the dialog. Without it, something in it must not be lost. */
  onClose: (() => void) | undefined
  above?: ComponentChildren
  /** One row, with the button that removes the item. */
  row(item: Item, remove: ComponentChildren, report: (text: string) => void): ComponentChildren
  children?: ComponentChildren
}

/** A dialog with the items of one kind that the user has, each of which can be removed. */
export function Items<Item extends { id: string; name: string }>(props: ItemsProps<Item>) {
  const { kind, from, onRemove, onClose, above, row, children } = props
  const { status, report } = useStatus()
  const remove = (item: Item) => async () => {
    await onRemove(item)
    report(say(`${kind}-removed`, { name: item.name }))
  }
  return (
    <Dialog title={say(kind)} {...(onClose && { onClose })}>
      <p class="muted">{say(`${kind}-text`)}</p>
      {above}
      <Loaded from={from}>
        {(items) => (
          <>
            {items.length === 0 && <p>{say(`${kind}-none`)}</p>}
            <ul class="rows" aria-label={say(kind)}>
              {items.map((item) =>
                row(
                  item,
                  <ConfirmedAction
                    label={say(`${kind}-remove`)}
                    title={say(`${kind}-remove-title`, { name: item.name })}
                    text={say(`${kind}-remove-text`)}
                    onConfirm={remove(item)}
                  />,
                  report
                )
              )}
            </ul>
          </>
        )}
      </Loaded>
      {status}
      {children}
      {onClose && <OneAction label={say('close')} kind="outline" onPress={onClose} />}
    </Dialog>
  )
}

interface RowProps {
  name: string
  /** Shown after the name. */
  state?: ComponentChildren
  above?: ComponentChildren
  times?: Partial<Record<Key, string | null>>
  below?: ComponentChildren
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** One thing of a list: its name, what there is to know, and what the user can do with it. */
export const Row = ({ name, state, above, times = {}, below, actions, children }: RowProps) => (
  <li>
    <div>
      <strong>{name}</strong> {state}
      <div class="muted">{above}</div>
      <div class="muted">
        {Object.entries(times)
          .filter(([, at]) => at !== null)
          .map(([text, at], index) => (
            <Fragment key={text}>
              {index > 0 && ', '}
              <When text={text as Key} at={at ?? ''} />
            </Fragment>
          ))}
      </div>
      <div class="muted">{below}</div>
    </div>
    {actions && <div class="actions">{actions}</div>}
    {children}
  </li>
)

/** The program of a session or record and its system, as people say it. */
export function deviceOf(userAgent: string | null) {
  const [browser, system] = browserOf(userAgent)?.split(', ') ?? []
  return browser && system ? say('browser-on', { browser, system }) : browser
}

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
