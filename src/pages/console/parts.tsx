import { Fragment } from 'preact'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { isMissing } from '../shared/load.tsx'
import type { Loading } from '../shared/load.tsx'
import { Ago } from '../shared/time.tsx'
import { Command } from './command-line.tsx'
import { may } from './may.ts'

interface RowProps {
  title: ComponentChildren
  /** Beside the title, such as a state. */
  note?: ComponentChildren
  /** The second line, in grey. */
  below: ComponentChildren
  /** Buttons on the right. */
  children?: ComponentChildren
}

/** One thing of a list with the class `rows`. */
export const Row = ({ title, note, below, children }: RowProps) => (
  <li>
    <div>
      <strong>{title}</strong>
      {note}
      <br />
      {isThere(below) && <small class="muted">{below}</small>}
    </div>
    {children}
  </li>
)

interface UseProps {
  /** Such as “Set up”. */
  begun: string
  of: { createdAt: string; lastUsedAt: string | null }
}

/** When something that signs a user in was set up, and when it was used last. */
export const Use = ({ begun, of: { createdAt, lastUsedAt } }: UseProps) => (
  <>
    {begun} <Ago at={createdAt} />,{' '}
    {lastUsedAt === null ? (
      'never used'
    ) : (
      <>
        last used <Ago at={lastUsedAt} />
      </>
    )}
  </>
)

/** Whether something is to be shown. Zero is. */
export const isThere = (shown: ComponentChildren) =>
  shown !== null && shown !== undefined && shown !== false && shown !== ''

/** Names and values. Pairs without a value are left out. */
export const Facts = ({ of: pairs }: { of: Record<string, ComponentChildren> }) => (
  <dl class="facts">
    {Object.entries(pairs)
      .filter(([, value]) => isThere(value))
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

/** Renders its children only once it is opened: they may be long. */
export function More({ label, children }: { label: string; children(): ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>{label}</summary>
      {isOpen && children()}
    </details>
  )
}

interface RequiresPermissionProps {
  /** By default, everybody sees it. */
  permission?: string
  title: string
  children: ComponentChildren
}

/** Renders a section only for users with its permission, so that no request is rejected. */
export function RequiresPermission({ permission, title, children }: RequiresPermissionProps) {
  if (permission === undefined || may(permission)) return <>{children}</>
  return (
    <section>
      <h2>{title}</h2>
      <p>
        This needs the permission <code>{permission}</code>, which you do not have in this session.
      </p>
    </section>
  )
}

interface KeysProps {
  of: readonly string[]
  /** Their names, which are shown in place of them. */
  nameOf?(key: string): string
}

/** Keys, such as those of roles, which do not break at their hyphens. */
export const Keys = ({ of, nameOf = (key) => key }: KeysProps) => (
  <>
    {of.map((key, place) => (
      <Fragment key={key}>
        {place > 0 && ' '}
        <span class="whole" title={key}>
          {nameOf(key) + (place < of.length - 1 ? ',' : '')}
        </span>
      </Fragment>
    ))}
  </>
)

interface EmptyProps {
  title: string
  /** Says what belongs here, and why one would want it. */
  children: ComponentChildren
  /** The first step. */
  action?: ComponentChildren
  /** The command of the first step. */
  command?: string
}

/** In place of a list without items. */
export const Empty = ({ title, children, action, command }: EmptyProps) => (
  <div class="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {action && <div class="actions">{action}</div>}
    {command !== undefined && <Command command={command} isOpen={!action} />}
  </div>
)

interface GoneProps {
  title: string
  /** The view of the others of its kind, and the text of the link there. */
  rest: string
  text?: string
}

/** In place of something that does not exist. */
export const Gone = ({ title, rest, text = `All ${rest}` }: GoneProps) => (
  <Empty
    title={title}
    action={
      <Link href={`/${rest}`} role="button">
        {text}
      </Link>
    }
  >
    It may have been deleted.
  </Empty>
)

/** The title of the page of one thing: its name, once it is known. */
export const titleOf = (noun: string, { error }: Loading<unknown>, name: string | undefined) =>
  name ?? (isMissing(error) ? `${noun} not found` : noun)
