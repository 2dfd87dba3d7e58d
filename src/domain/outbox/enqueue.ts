import { sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import type { Sealing } from '../sealing.ts'

export interface NewMail {
  kind: OutboxRow['kind']
  /** Whose it is; undefined for an address that may have no account. */
  userId?: string | undefined
  /** Becomes JSON and is sealed: addresses and tokens belong here. */
  payload: object
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
    payload: sealPayload(sealing, id, payload),
    nextAt: sql`now() + make_interval(secs => ${dueIn}::float8)`,
    expiresAt: sql`now() + make_interval(secs => ${expiresIn}::float8)`
  })
  return id
}

/** The id of its row is the context: in another row the payload does not open. */
export const sealPayload = (sealing: Sealing, id: string, payload: object) =>
  sealing.seal('mail', id, Buffer.from(JSON.stringify(payload)))

/** Undefined when no key opens it. */
export function openPayload(sealing: Sealing, id: string, payload: Uint8Array | null) {
  const plain = payload && sealing.open('mail', id, payload)
  return plain ? (JSON.parse(plain.toString()) as Record<string, unknown>) : undefined
}
