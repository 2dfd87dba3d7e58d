import { capital } from '../shared/capital.ts'
import type { Schemas } from '../shared/client.ts'
import { formatAgo } from '../shared/time-format.ts'

type MailState = Pick<
  Schemas['OutboxMessage'],
  'state' | 'attempts' | 'nextAt' | 'lastError' | 'expiresAt' | 'doneAt'
>

/** Describes the delivery of a mail besides its state. Empty if there is nothing to say. */
export function deliveryOf(mail: MailState, now = Date.now()) {
  const { state, attempts, nextAt, lastError } = mail
  const next = formatAgo(nextAt, now)
  const parts = [
    lastError?.replace(/^smtp (\d+)$/, 'refused by the mail server ($1)'),
    attempts > 1 && `${state === 'pending' ? '' : 'after '}${attempts} attempts`,
    state === 'dropped' && (isExpired(mail) ? 'expired' : 'nobody to send it to'),
    state === 'pending' && next?.startsWith('in ') && `next ${next}`
  ]
  return capital(parts.filter(Boolean).join(', '))
}

/** Mail that was dropped had nobody to go to, or no time left: 30 seconds are too few to try. */
const isExpired = ({ expiresAt, doneAt }: MailState) =>
  doneAt !== null && Date.parse(expiresAt) - Date.parse(doneAt) < 30_000
