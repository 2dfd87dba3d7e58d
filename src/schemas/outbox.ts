import { errorClassForm, outboxStates } from '../../db/schema/outbox.ts'
import { pageOf } from './lists.ts'
import { closed, Count, Id, nullable, oneOf, text, Timestamp } from './primitives.ts'
import { userLabel } from './users.ts'

export const OutboxState = oneOf(outboxStates, {
  description:
    '`pending`: waits for delivery; `sent`: accepted by the mail server; `dead`: refused for ' +
    'good; `dropped`: expired, or there was nobody to send it to; `caught`: kept and not sent, ' +
    'in development'
})

/** @public a component of the API document */
export const OutboxMessage = closed(
  {
    id: Id('Mail id; the Message-ID begins with it'),
    kind: text(40, { description: 'Kind of the mail', examples: ['recovery'] }),
    userId: nullable(Id('Id of the user to whom the mail belongs, if there is one')),
    recipient: nullable(
      text(256, {
        description:
          'Address that it is for: the first character and the domain. Null until it is known',
        examples: ['a…@example.com']
      })
    ),
    user: userLabel('This user; null for callers without `users:read`'),
    state: OutboxState,
    attempts: Count('Number of deliveries in which the mail server was reached'),
    lastError: nullable(
      text(40, {
        pattern: errorClassForm.source,
        description: 'Why the last delivery failed',
        examples: ['smtp 451']
      })
    ),
    lastReply: nullable(
      text(300, {
        description: 'What the mail server said then, without addresses and secrets',
        examples: ['550 5.1.1 Mailbox unavailable']
      })
    ),
    nextAt: Timestamp('Time of the next delivery, while the mail is pending'),
    expiresAt: Timestamp('Time after which the mail is no longer delivered'),
    createdAt: Timestamp('Time at which the mail was written'),
    doneAt: nullable(
      Timestamp('Time at which the mail was sent, dropped, caught or refused for good')
    )
  },
  {
    $id: 'OutboxMessage',
    description: 'A mail in the outbox, without its full address and its contents'
  }
)
export const OutboxPage = pageOf('OutboxPage', OutboxMessage, 'A page of the outbox')
