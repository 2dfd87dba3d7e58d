import { Link } from 'wouter-preact'
import type { Schemas } from '../shared/client.ts'
import { useLoaded } from '../shared/load.tsx'
import { Copy } from './command-line.tsx'
import { labelOfUser } from './list/user-label.ts'

interface UserLinkProps {
  id: string
  /** The user as a list has it: null if deleted, or if the reader may not see users. */
  user?: Schemas['Session']['user']
}

/** A user by name. Without a label, it is asked for. */
export function UserLink({ id, user }: UserLinkProps) {
  const asked = useLoaded(['label of user', user === undefined && id], (signal) =>
    labelOfUser(user === undefined ? id : undefined, signal)
  )
  const name = (user ?? asked.value)?.name
  return name === undefined ? <ShortId id={id} /> : <Link href={`/users/${id}`}>{name}</Link>
}

/** An id as `01a2…e172`, with a button that copies all of it. */
export const ShortId = ({ id }: { id: string }) => (
  <span class="short-id">
    <code title={id}>
      {id.slice(0, 4)}…{id.slice(-4)}
    </code>
    <Copy text={id} what="id" />
  </span>
)

const others = {
  cli: 'command line',
  system: 'the portal',
  anonymous: 'anonymous',
  user: 'user',
  service: 'service'
}

type Acted = Pick<Schemas['ActivityRecord'], 'actorType' | 'actorId' | 'actorLabel'>

/** Who made a change. */
export function Actor({ of }: { of: Acted }) {
  const { actorType, actorId, actorLabel } = of
  const kind = others[actorType]
  if (actorId === null) return actorLabel === null ? kind : `${actorLabel} (${kind})`
  if (actorType === 'service') return <Link href={`/services/${actorLabel}`}>{actorLabel}</Link>
  return <Link href={`/users/${actorId}`}>{actorLabel ?? actorId}</Link>
}
