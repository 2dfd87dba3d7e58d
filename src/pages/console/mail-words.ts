import type { Schemas } from '../shared/client.ts'
import { formatAgo } from '../shared/ago.ts'

type Mail = Pick<Schemas['OutboxMessage'], 'state' | 'attempts' | 'nextAt' | 'lastError'>

/** What there is to say about the delivery of a mail, beside its state. Empty if nothing is. */
export function deliveryOf({ state, attempts, nextAt, lastError }: Mail, now = Date.now()) {
  const next = formatAgo(nextAt, now)
  return [
    lastError?.replace(/^smtp (\d+)$/, 'Refused by the mail server ($1)'),
    attempts > 1 && `${state === 'dead' ? 'after ' : ''}${attempts} attempts`,
    state === 'pending' && next?.startsWith('in ') && `next ${next}`
  ]
    .filter(Boolean)
    .join(', ')
}
