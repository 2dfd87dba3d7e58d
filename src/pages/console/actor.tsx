import { Link } from 'wouter-preact'
import type { Schemas } from '../shared/client.ts'

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
