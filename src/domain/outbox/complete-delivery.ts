import { and, eq, gte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { errorClassForm, outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { job } from '../actor.ts'
import { randomFraction } from '../crypto.ts'
import type { Sealing } from '../sealing.ts'
import type { Claimed } from './claim.ts'
import { contentsOf } from './enqueue.ts'
import type { NewMail } from './enqueue.ts'

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
  /** There is nobody to send it to. */
  | { outcome: 'dropped' }
  /** Worth another try. */
  | ({ outcome: 'temporary' } & Failed)
  | ({ outcome: 'final' } & Failed)

type Leased = Pick<Claimed, 'id' | 'lease'>
const isHeld = ({ id, lease }: Leased) => and(eq(outbox.id, id), eq(outbox.lease, lease))

/**
 * Stores the outcome of a delivery and returns the new state of the row. Undefined, and
 * nothing changes, when the lease has gone to another worker.
 */
export async function completeDelivery(
  db: Db,
  row: Claimed,
  delivery: Outcome | { outcome: 'expired' }
): Promise<OutboxRow['state'] | undefined> {
  return transaction(db, async (tx) => {
    const finish = async (state: OutboxRow['state'], failed?: Failed) => {
      const done = await tx
        .update(outbox)
        .set({
          state,
          lease: null,
          doneAt: sql`now()`,
          ...((state === 'sent' || state === 'dropped') && { payload: null }),
          ...(failed && columnsOf(failed))
        })
        .where(isHeld(row))
        .returning({
          lastError: outbox.lastError,
          lastReply: outbox.lastReply,
          userId: outbox.userId
        })
      return done[0]
    }
    const finishAndRecord = async (action: 'mail.dead' | 'mail.drop', failed?: Failed) => {
      const state = action === 'mail.dead' ? 'dead' : 'dropped'
      const done = await finish(state, failed)
      if (!done) return undefined
      await record(tx, job, action, {
        outcome: 'failure',
        userId: done.userId,
        details: {
          kind: row.kind,
          error: done.lastError ?? 'expired',
          reply: done.lastReply ?? undefined
        }
      })
      return state
    }
    switch (delivery.outcome) {
      case 'expired':
        return finishAndRecord('mail.drop')
      case 'final':
        return finishAndRecord('mail.dead', delivery)
      case 'temporary':
        return (await retryLater(tx, row, delivery))
          ? 'pending'
          : finishAndRecord('mail.drop', delivery)
      default:
        return (await finish(delivery.outcome)) && delivery.outcome
    }
  })
}

/** A mail that expires within this number of seconds is not tried again. */
const tooLate = 30

/**
 * The next delivery comes after the usual delay, or after half of the time that is left if that is
 * sooner. False when the lease is lost, or no time is left.
 */
async function retryLater(tx: Db, row: Claimed, failed: Failed) {
  const left = sql`extract(epoch from ${outbox.expiresAt} - now())::float8`
  const seconds = sql`least(${retryDelay(row.attempts)}::float8, ${left} / 2)`
  const delayed = await tx
    .update(outbox)
    .set({ lease: null, nextAt: sql`now() + ${ofSeconds(seconds)}`, ...columnsOf(failed) })
    .where(and(isHeld(row), gte(left, tooLate)))
    .returning({ id: outbox.id })
  return delayed.length > 0
}

/** The part of a failure that is stored. */
export const columnsOf = ({ error, reply }: Failed) => ({
  lastError: classOf(error),
  lastReply: reply ?? null
})

const classOf = (error: string) => (errorClassForm.test(error) ? error : 'other')

/** The row belongs to another worker by now: the transaction must not take effect. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * Replaces the payload of a claimed row, in the transaction that creates its token: a later
 * delivery then sends the same link to the same address. `userId`: its owner, if that was not known
 * when the mail was written. Throws LeaseLost.
 */
export async function replacePayload(
  tx: Db,
  sealing: Sealing,
  row: Leased,
  { payload, userId }: Pick<NewMail, 'payload' | 'userId'>
) {
  const replaced = await tx
    .update(outbox)
    .set({ ...contentsOf(sealing, row.id, payload), ...(userId && { userId }) })
    .where(isHeld(row))
    .returning({ id: outbox.id })
  if (replaced.length === 0) throw new LeaseLost()
}

/** Seconds from a failed delivery to the next; the last one repeats. */
const delays = [30, 120, 600, 1800, 3600, 7200, 14_400] as const

/** Seconds to wait after this many deliveries, 20 % more or less. */
const retryDelay = (attempts: number) =>
  spread(delays[Math.min(attempts, delays.length) - 1] ?? delays[0])

/** 20 % more or less, so that what failed together is not repeated together. */
export const spread = (time: number) => time * (0.8 + 0.4 * randomFraction())
