import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import type { Sealing } from '../sealing.ts'
import { openPayload } from './enqueue.ts'

interface Which {
  id?: string | undefined
  kind?: OutboxRow['kind'] | undefined
  limit: number
}

/**
 * The newest mail that was caught in development, of this kind or with this id. Mail that no key
 * opens is left out.
 */
export async function openCaught(db: Db, sealing: Sealing, { id, kind, limit }: Which) {
  const rows = await db
    .select({
      id: outbox.id,
      userId: outbox.userId,
      createdAt: outbox.createdAt,
      payload: outbox.payload
    })
    .from(outbox)
    .where(
      and(
        eq(outbox.state, 'caught'),
        id === undefined ? undefined : eq(outbox.id, id),
        kind && eq(outbox.kind, kind)
      )
    )
    .orderBy(desc(outbox.id))
    .limit(limit)
  return rows.flatMap((row) => {
    const payload = openPayload(sealing, row.id, row.payload)
    return payload ? [{ ...row, payload }] : []
  })
}
