import type { ComponentChildren } from 'preact'
import { Ago } from '../shared/time.tsx'

interface RowProps {
  title: ComponentChildren
  /** Beside the title, such as a state. */
  note?: ComponentChildren
  /** The second line, in grey. */
  below: ComponentChildren
  /** What can be done with it. */
  children?: ComponentChildren
}

/** One thing of a list with the class `rows`. */
export const Row = ({ title, note, below, children }: RowProps) => (
  <li>
    <div>
      <strong>{title}</strong>
      {note}
      <br />
      <small class="muted">{below}</small>
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
