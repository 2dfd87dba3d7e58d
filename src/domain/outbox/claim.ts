import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import { retried, transaction } from '../../../db/transaction.ts'

/** Longer than a delivery may take, or two workers would deliver the same row at once. */
export const leaseSeconds = 60

/** A row that its worker may deliver and mark, as long as it has the lease. */
export interface Claimed {
  id: string
  lease: string
  kind: OutboxRow['kind']
  userId: string | null
  payload: Uint8Array | null
  /** This delivery counts. */
  attempts: number
  expired: boolean
  /** Deliveries in a row, up to this one, whose workers died or took longer than their lease. */
  abandoned: number
}

/**
 * The time of the next delivery has come. Times are rounded to the millisecond, so that now may be
 * stored as a little later.
 */
export const isDue = lte(outbox.nextAt, sql`now() + interval '1 millisecond'`)

const abandoned = sql<number>`coalesce(
  substring(${outbox.lastError} from '^abandoned ([0-9]+)$')::int, 0)`

/**
 * Leases rows that are due, those that have waited longest first: at most `limit`, and none that
 * another worker has. A delivery counts from here on, so that a row that kills its process does so
 * a limited number of times.
 */
export async function claim(db: Db, limit: number): Promise<Claimed[]> {
  const lease = uuid()
  // As a literal: with a parameter, a prepared statement could not use the partial index.
  const isWaiting = and(eq(outbox.state, sql`'pending'`), isDue)
  return transaction(db, async (tx) => {
    const due = tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(isWaiting)
      .orderBy(asc(outbox.nextAt))
      .limit(limit)
      .for('update', { skipLocked: true })
    const rows = await tx
      .update(outbox)
      .set({
        lease,
        attempts: sql`${outbox.attempts} + 1`,
        nextAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
        lastError: sql`case when ${outbox.lease} is not null then 'abandoned ' || ${abandoned} + 1
          when ${outbox.lastError} not like 'abandoned%' then ${outbox.lastError} end`
      })
      // As an array it is read once: the planner may run a plain subquery again for each row.
      .where(and(isWaiting, sql`${outbox.id} = any(array(${due}))`))
      .returning({
        id: outbox.id,
        kind: outbox.kind,
        userId: outbox.userId,
        payload: outbox.payload,
        attempts: outbox.attempts,
        expired: sql<boolean>`${outbox.expiresAt} <= now()`,
        abandoned
      })
    return rows.map((row) => ({ ...row, lease }))
  })
}

/** Undoes a claim, so that another worker can deliver the rows at once. */
export async function release(db: Db, rows: readonly Pick<Claimed, 'id' | 'lease'>[]) {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const leases = rows.map(({ lease }) => lease)
  await retried(() =>
    db
      .update(outbox)
      .set({ lease: null, attempts: sql`${outbox.attempts} - 1`, nextAt: sql`now()` })
      .where(and(inArray(outbox.id, ids), inArray(outbox.lease, leases)))
  )
}
