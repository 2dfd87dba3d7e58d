import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { ofSeconds } from '../../../db/intervals.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import type { Sealing } from '../sealing.ts'
import { maskEmail } from '../users/emails.ts'
import { isRequest } from './payload.ts'
import type { Payload } from './payload.ts'

export interface NewMail {
  kind: OutboxRow['kind']
  /** Whose it is; undefined for an address that may have no account. */
  userId?: string | undefined
  /** Stored as sealed JSON. Addresses and tokens belong here only. */
  payload: Payload
  /** Seconds after which it expires. */
  expiresIn: number
  /** Seconds after which it is due. */
  dueIn?: number
}

/** Writes a mail in the transaction of the change that it reports, and returns its id. */
export async function enqueue(
  tx: Db,
  sealing: Sealing,
  { kind, userId, payload, expiresIn, dueIn = 0 }: NewMail
): Promise<string> {
  const id = uuid()
  await tx.insert(outbox).values({
    id,
    kind,
    userId,
    ...contentsOf(sealing, id, payload),
    nextAt: sql`now() + ${ofSeconds(dueIn)}`,
    expiresAt: sql`now() + ${ofSeconds(expiresIn)}`
  })
  return id
}

/** The columns of a row that depend on its payload. */
export const contentsOf = (sealing: Sealing, id: string, payload: Payload) => ({
  payload: sealPayload(sealing, id, payload),
  // A request has no recipient yet: the worker decides whether there is one.
  recipient: isRequest(payload) ? null : maskEmail(payload.to)
})

/** The id of its row is the context: in another row the payload does not open. */
export const sealPayload = (sealing: Sealing, id: string, payload: Payload) =>
  sealing.seal('mail', id, Buffer.from(JSON.stringify(payload)))

/** Undefined when no key opens it. */
export function openPayload(sealing: Sealing, id: string, payload: Uint8Array | null) {
  const plain = payload && sealing.open('mail', id, payload)
  return plain ? (JSON.parse(plain.toString()) as Payload) : undefined
}
