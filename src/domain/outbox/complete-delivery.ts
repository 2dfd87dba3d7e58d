import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { errorClassForm, outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { job } from '../actor.ts'
import type { Sealing } from '../sealing.ts'
import type { Claimed } from './claim.ts'
import { contentsOf } from './enqueue.ts'
import type { NewMail } from './enqueue.ts'
import { after, spread, writeLeased } from './leases.ts'
import type { Leased } from './leases.ts'

/**
 * A delivery that failed for a reason outside of the mail: it stays due, and the try is not
 * counted.
 */
export type Postponement =
  /** The mail server could not be reached, or did not accept the portal. */
  | ({ outcome: 'unreachable' } & Failed)
  /** Over the limit of mail that strangers cause, for some seconds. */
  | { outcome: 'limited'; seconds: number }

interface Failed {
  error: string
  /** The reply of the server, without anything about the mail or its reader. */
  reply?: string
}

/** The outcome of a delivery. `error` is a class, such as "smtp 451" or "timeout". */
export type Outcome =
  | { outcome: 'sent' }
  /** Kept to be read, and not sent: development. */
  | { outcome: 'caught' }
  /** There is nobody to send it to, or it came too late. */
  | { outcome: 'dropped' | 'expired' }
  /** Worth another try. */
  | ({ outcome: 'temporary' } & Failed)
  | ({ outcome: 'final' } & Failed)

/** The state in which mail ends, and the record of it. */
const ends = {
  sent: ['sent', undefined],
  caught: ['caught', undefined],
  dropped: ['dropped', undefined],
  temporary: ['dropped', 'mail.drop'],
  expired: ['dropped', 'mail.drop'],
  final: ['dead', 'mail.dead']
} as const

/**
 * Stores the outcome of a delivery and returns the new state of the row. Throws LeaseLost, and
 * nothing changes, when the lease has gone to another worker.
 */
export function completeDelivery(db: Db, row: Claimed, delivery: Outcome) {
  const failed = 'error' in delivery ? columnsOf(delivery) : {}
  return transaction(db, async (tx): Promise<OutboxRow['state']> => {
    const nextAt = delivery.outcome === 'temporary' ? await findNextTime(tx, row) : undefined
    if (nextAt) {
      await writeLeased(tx, outbox, row, { lease: null, nextAt, ...failed })
      return 'pending'
    }
    const [state, action] = ends[delivery.outcome]
    const columns = { state, lease: null, doneAt: sql`now()`, ...failed }
    const keepsPayload = state === 'dead' || state === 'caught'
    await writeLeased(tx, outbox, row, { ...columns, ...(!keepsPayload && { payload: null }) })
    if (action) await recordEnd(tx, row.id, action)
    return state
  })
}

async function recordEnd(tx: Db, id: string, action: 'mail.dead' | 'mail.drop') {
  const [row] = await tx.select().from(outbox).where(eq(outbox.id, id))
  const { kind, userId, lastError, lastReply } = row ?? {}
  await record(tx, job, action, {
    outcome: 'failure',
    userId,
    details: { kind, error: lastError ?? 'expired', reply: lastReply ?? undefined }
  })
}

/** A mail that expires within this number of seconds is not tried again. */
const tooLate = 30
/** Seconds from a failed delivery to the next; the last one repeats. */
const delays = [30, 120, 600, 1800, 3600, 7200, 14_400] as const

/**
 * The next delivery comes after the usual delay, or after half of the time that is left if that is
 * sooner. Undefined when the lease is lost, or no time is left.
 */
async function findNextTime(tx: Db, { id, lease, attempts }: Claimed) {
  const [found] = await tx
    .select({ left: sql<number>`extract(epoch from ${outbox.expiresAt} - now())::float8` })
    .from(outbox)
    .where(and(eq(outbox.id, id), eq(outbox.lease, lease)))
  if (!found || found.left < tooLate) return undefined
  const delay = delays[Math.min(attempts, delays.length) - 1] ?? delays[0]
  return after(Math.min(spread(delay), found.left / 2))
}

/** The part of a failure that is stored. */
export const columnsOf = ({ error, reply }: Failed) => ({
  lastError: errorClassForm.test(error) ? error : 'other',
  lastReply: reply ?? null
})

/**
 * Replaces the payload of a claimed row, in the transaction that creates its token: a later
 * delivery then sends the same link to the same address. `userId`: its owner, if that was not known
 * when the mail was written. Throws LeaseLost.
 */
export const replacePayload = (
  tx: Db,
  sealing: Sealing,
  row: Leased,
  { payload, userId }: Pick<NewMail, 'payload' | 'userId'>
) =>
  writeLeased(tx, outbox, row, {
    ...contentsOf(sealing, row.id, payload),
    ...(userId && { userId })
  })
