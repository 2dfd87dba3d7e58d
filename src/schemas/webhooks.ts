import { Type } from '@sinclair/typebox'
import {
  deliveryErrorForm,
  deliveryStates,
  endpointStates,
  endpointUrlLength,
  eventPatternForm,
  mostPatterns
} from '../../db/schema/webhooks.ts'
import { ActivityRecord, QueryTime } from './activity.ts'
import { pageOf } from './lists.ts'
import { closed, Count, Id, integer, nullable, oneOf, ref, text, Timestamp } from './primitives.ts'

const url = text(endpointUrlLength.max, {
  minLength: 1,
  description: 'Where events are sent, with https',
  examples: ['https://crm.example.com/hooks/portal']
})
const events = Type.Array(
  Type.String({
    maxLength: 80,
    pattern: eventPatternForm.source,
    description: 'An action, the beginning of some with `.*`, or `*` for all'
  }),
  {
    maxItems: mostPatterns,
    description: 'The actions whose records are sent',
    examples: [['user.*', 'auth.register']]
  }
)
const newEvents = { ...events, minItems: 1, uniqueItems: true }
const state = oneOf(endpointStates, {
  description: '`paused`: nothing is sent, and what would be waits for four days'
})

const shown = {
  id: Id('Webhook id'),
  url: nullable({ ...url, description: 'Null for the functions of the app' }),
  events,
  state,
  failingSince: nullable(Timestamp('Since when every delivery has failed; null if none has')),
  formerSecretUntil: nullable(
    Timestamp('Until when the secret before the last renewal signs as well')
  ),
  waiting: Count('Number of deliveries that wait, at most 10000'),
  createdAt: Timestamp('Time of creation')
}

export const Webhook = closed(shown, {
  $id: 'Webhook',
  description: 'A webhook: where events are sent, which are activity records'
})
export const WebhookPage = pageOf('WebhookPage', Webhook, 'A page of webhooks')

const secret = Type.String({
  maxLength: 50,
  pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
  description: 'The secret that signs, in the form of Standard Webhooks; shown only here'
})
export const WebhookWithSecret = closed(
  { ...shown, secret },
  { $id: 'WebhookWithSecret', description: 'A webhook with its new secret' }
)

export const NewWebhook = closed(
  { url, events: newEvents },
  {
    $id: 'NewWebhook',
    description: 'A webhook to create',
    examples: [{ url: 'https://crm.example.com/hooks/portal', events: ['user.*'] }]
  }
)

export const WebhookPatch = closed(
  { url: Type.Optional(url), events: Type.Optional(newEvents), state: Type.Optional(state) },
  {
    $id: 'WebhookPatch',
    description: 'Merge patch: omitted fields keep their value',
    examples: [{ state: 'paused' }],
    minProperties: 1
  }
)

const lastStatus = integer(100, 599, 'Status of the last response')
const lastError = text(40, {
  pattern: deliveryErrorForm.source,
  description: 'Why the last attempt failed',
  examples: ['timeout']
})

export const DeliveryState = oneOf(deliveryStates, {
  description:
    '`pending`: waits for its next attempt; `delivered`: answered with 2xx; `dead`: given up'
})

const type = text(80, { description: 'Action of the record', examples: ['user.create'] })
const delivery = {
  id: Id('Delivery id, which each attempt sends as `webhook-id`'),
  event: nullable({ ...type, description: 'Action of the record; null if the record was deleted' }),
  eventId: Id('Id of the record'),
  eventAt: Timestamp('Time of the record'),
  state: DeliveryState,
  attempts: Count('Number of attempts'),
  nextAt: Timestamp('Time of the next attempt, while the delivery is pending'),
  expiresAt: Timestamp('Time after which there is no other attempt'),
  lastStatus: nullable(lastStatus),
  lastError: nullable(lastError),
  createdAt: Timestamp('Time of creation'),
  doneAt: nullable(Timestamp('Time at which it was delivered or given up'))
}

/** @public a component of the API document */
export const Delivery = closed(delivery, {
  $id: 'Delivery',
  description: 'An event for one webhook'
})
export const DeliveryPage = pageOf('DeliveryPage', Delivery, 'A page of deliveries')

const user = closed(
  {
    id: Id('User id; never changes'),
    email: text(254, { description: 'E-mail address' }),
    emailVerified: Type.Boolean({ description: 'Whether the address is confirmed' }),
    name: text(160, { description: 'Name' }),
    status: text(40, { description: 'Status of the account' }),
    version: Count('Grows with each change: what has a lower version is older')
  },
  { description: 'The user whom the event is about, as they are when it is sent' }
)
const data = closed(
  { ...ActivityRecord.properties, user: Type.Optional(user) },
  { description: 'The record' }
)

/** @public a component of the API document */
export const WebhookBody = closed(
  { type, timestamp: Timestamp('Time of the record'), data },
  { $id: 'WebhookBody', description: 'The body of a request to a webhook' }
)

export const DeliveryWithBody = closed(
  { ...delivery, body: Type.Optional(ref(WebhookBody)) },
  {
    $id: 'DeliveryWithBody',
    description:
      'An event for one webhook, with the body that the next attempt sends; without it if the ' +
      'record was deleted'
  }
)

export const Resend = closed(
  {
    delivery: Type.Optional(Id('Only this delivery, also one that was successful')),
    since: Type.Optional(QueryTime('All deliveries from this time on that were given up'))
  },
  {
    $id: 'Resend',
    description: 'Which events to send again: one of both',
    examples: [{ since: '2026-01-31T09:30:00.000Z' }],
    minProperties: 1,
    maxProperties: 1
  }
)
export const Resent = closed(
  { count: Count('Number of deliveries that are due now') },
  { $id: 'Resent', description: 'How many events are sent again' }
)

export const TestResult = closed(
  { status: Type.Optional(lastStatus), error: Type.Optional(lastError) },
  {
    $id: 'TestResult',
    description: 'How the request to the webhook ended; without `error` it was successful'
  }
)
