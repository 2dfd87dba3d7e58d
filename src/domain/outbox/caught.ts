import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { Sealing } from '../sealing.ts'
import { openPayload } from './enqueue.ts'

/** More would be slow to write out, and nobody reads them. */
const limit = 100

/**
 * The newest mail that was caught in development, or the one with this id. Mail that no key opens
 * is left out.
 */
export async function openCaught(db: Db, sealing: Sealing, id?: string) {
  const rows = await db
    .select({ id: outbox.id, createdAt: outbox.createdAt, payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.state, 'caught'), id === undefined ? undefined : eq(outbox.id, id)))
    .orderBy(desc(outbox.id))
    .limit(limit)
  return rows.flatMap((row) => {
    const payload = openPayload(sealing, row.id, row.payload)
    return payload ? [{ ...row, payload }] : []
  })
}
