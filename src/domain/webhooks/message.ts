import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { activity } from '../../../db/schema/activity.ts'
import type { ActivityRow } from '../../../db/schema/activity.ts'
import { users } from '../../../db/schema/users.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import type { DeliveryRow, EndpointRow } from '../../../db/schema/webhooks.ts'
import type { Sealing } from '../sealing.ts'
import { secretsOf, signedHeaders } from './signature.ts'

/** How a request ended. Without `error` it was successful. */
export interface Answer {
  /** Undefined without a response. */
  status?: number
  /** A class such as `timeout`, never the text of a server. */
  error?: string
  /** The text of a success, up to 64 KiB. */
  body?: string
}

/** Sends to URLs that people have entered: src/outbound/sender.ts. */
export interface Sender {
  /** Why nothing may be sent to a URL, as a sentence. Undefined if it may. */
  judge(url: string): Promise<string | undefined>
  /** Takes five seconds at most, and never rejects. */
  post(url: string, headers: Record<string, string>, body: string): Promise<Answer>
}

export interface WebhookContext {
  db: Db
  sealing: Sealing
  sender: Sender
}

/** The body of a message: an event, and the user whom it is about as they are now. */
export interface EventBody {
  /** The action of the record. */
  type: string
  /** When it happened, in ISO 8601. */
  timestamp: string
  data: ActivityRow & { user?: EventUser }
}

/** `version` grows with each change of the user: what has a lower one is older. */
type EventUser = Pick<UserRow, 'id' | 'email' | 'name' | 'status' | 'version'> & {
  emailVerified: boolean
}

/** Actions after which others may know a user by something that has changed. */
const changesUser = /^(user\.|auth\.(register|recovery)$)/

/** The body of a delivery, as it would be sent now. Undefined when the record was deleted. */
export async function bodyOf(
  db: Db,
  { eventId, eventAt }: Pick<DeliveryRow, 'eventId' | 'eventAt'>
): Promise<EventBody | undefined> {
  const [found] = await db
    .select()
    .from(activity)
    .where(and(eq(activity.at, eventAt), eq(activity.id, eventId)))
  if (!found) return undefined
  const { action, targetType, targetId, at } = found
  const isAboutUser = targetType === 'user' && changesUser.test(action)
  const user = isAboutUser && targetId !== null ? await findUser(db, targetId) : undefined
  return { type: action, timestamp: at.toISOString(), data: { ...found, ...(user && { user }) } }
}

async function findUser(db: Db, userId: string): Promise<EventUser | undefined> {
  const { id, email, emailVerifiedAt, name, status, version } = users
  const emailVerified = sql<boolean>`${emailVerifiedAt} is not null`
  const [found] = await db
    .select({ id, email, emailVerified, name, status, version })
    .from(users)
    .where(eq(id, userId))
  return found
}

/** @param id of the message: a receiver drops what it has seen */
export async function post(
  { sealing, sender }: Pick<WebhookContext, 'sealing' | 'sender'>,
  endpoint: EndpointRow,
  id: string,
  body: object
): Promise<Answer> {
  const secrets = secretsOf(sealing, endpoint)
  if (endpoint.url === null || secrets.length === 0) return { error: 'secret' }
  const text = JSON.stringify(body)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'user-agent': 'portal'
  }
  return sender.post(endpoint.url, { ...headers, ...signedHeaders(secrets, id, text) }, text)
}
