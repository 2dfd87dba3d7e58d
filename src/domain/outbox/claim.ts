import { and, asc, eq, inArray, isNotNull, isNull, lte, not, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { mailKinds, outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Payload } from './enqueue.ts'

/** Longer than a delivery may take, or two workers would deliver the same row at once. */
export const leaseSeconds = 60

/**
 * The time of the next delivery has come. Stored times are rounded to the millisecond, so a row
 * that is due now may have a slightly later time.
 */
export const isDue = lte(outbox.nextAt, sql`now() + interval '1 millisecond'`)

/**
 * A deferred decision: when the row is due, the worker decides whether to send mail. See
 * src/domain/mail/unfinished-sign-ins.ts.
 */
export const isEarly = and(
  eq(outbox.kind, 'sign-in-unfinished'),
  isNull(outbox.userId), // the owner is set with the decision
  eq(outbox.attempts, 0),
  not(isDue)
) as SQL

/** With a literal: a prepared statement with a parameter could not use the partial index. */
const isWaiting = and(eq(outbox.state, sql`'pending'`), isDue)

/** How many of the last deliveries in a row were abandoned: the worker died or took too long. */
const abandoned = sql<number>`coalesce(
  substring(${outbox.lastError} from '^abandoned ([0-9]+)$')::int, 0)`

/** Left by a worker that died. */
const isSuspect = isNotNull(outbox.lease)

interface Room {
  /** Maximum number of rows that strangers caused. */
  strangers?: number
  /** Whether this instance delivers nothing else now. */
  isIdle?: boolean
  /** The kinds of the app. */
  own?: readonly string[]
}

/**
 * Leases rows that are due, those that have waited longest first, and those of strangers last: at
 * most `limit`, and none that another worker has. A delivery counts from here on, so that a row
 * that kills its process does so a limited number of times. A row that a dead worker had is claimed
 * alone, by an idle instance: if it kills the process, no other delivery is lost.
 */
export async function claim(
  db: Db,
  limit: number,
  { strangers = limit, isIdle = true, own = [] }: Room = {}
) {
  // An outbox is empty most of the time. To ask that takes one statement outside of a transaction.
  const [waiting] = await db.select({ id: outbox.id }).from(outbox).where(isWaiting).limit(1)
  if (!waiting) return []
  const lease = uuid()
  return transaction(db, async (tx) => {
    const others = await findDue(tx, ofOthers(own), limit)
    const due = [
      ...others,
      ...(await findDue(tx, ofStrangers, Math.min(strangers, limit - others.length)))
    ]
    const [first] = due
    const chosen = !first?.suspect ? due.filter((row) => !row.suspect) : isIdle ? [first] : []
    const ids = chosen.map(({ id }) => id)
    if (ids.length === 0) return []
    const rows = await tx
      .update(outbox)
      .set({
        lease,
        attempts: sql`${outbox.attempts} + 1`,
        nextAt: sql`now() + ${ofSeconds(leaseSeconds)}`,
        lastError: sql`case when ${outbox.lease} is not null then 'abandoned ' || ${abandoned} + 1
          when ${outbox.lastError} not like 'abandoned%' then ${outbox.lastError} end`
      })
      .where(inArray(outbox.id, ids))
      .returning({
        id: outbox.id,
        kind: outbox.kind,
        userId: outbox.userId,
        payload: outbox.payload,
        attempts: outbox.attempts, // with this delivery
        expired: sql<boolean>`${outbox.expiresAt} <= now()`,
        abandoned
      })
    return rows.map((row) => ({ ...row, lease }))
  })
}

/** A row that its worker may deliver and mark, as long as it has the lease. */
export type Claimed = Awaited<ReturnType<typeof claim>>[number]

/** A claimed row with its opened payload. */
export interface Mail extends Pick<Claimed, 'id' | 'lease' | 'kind' | 'userId' | 'attempts'> {
  payload: Payload
}

async function findDue(tx: Db, which: SQL | undefined, limit: number) {
  if (limit <= 0) return []
  return tx
    .select({ id: outbox.id, suspect: sql<boolean>`${isSuspect}` })
    .from(outbox)
    .where(and(isWaiting, which))
    .orderBy(asc(outbox.nextAt))
    .limit(limit)
    .for('update', { skipLocked: true })
}

interface Postponed {
  /** When it is due; now if undefined. */
  nextAt?: SQL
  /** Why it was not delivered. */
  lastError?: string
  lastReply?: string | null
}

/** Undoes a claim: the delivery does not count, and another worker can do it. */
export async function release(
  db: Db,
  rows: readonly Pick<Claimed, 'id' | 'lease'>[],
  { nextAt = sql`now()`, ...failure }: Postponed = {}
) {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const leases = rows.map(({ lease }) => lease)
  await transaction(db, (tx) =>
    tx
      .update(outbox)
      .set({ lease: null, attempts: sql`${outbox.attempts} - 1`, nextAt, ...failure })
      .where(and(inArray(outbox.id, ids), inArray(outbox.lease, leases)))
  )
}

type Kind = OutboxRow['kind']

const strangers: readonly Kind[] = [
  'confirm',
  'already-registered',
  'recovery',
  'email-verify',
  'email-change',
  'scope-invitation'
]

/**
 * Whether anybody can cause mail of this kind, also to an address of somebody else. Such mail goes
 * out after all other mail, and has a limit for the whole portal.
 */
export const isByStrangers = (kind: Kind) => strangers.includes(kind)

const ofStrangers = inArray(outbox.kind, strangers)

/**
 * All other mail. Kinds that only another version of the portal or the app knows are left to its
 * instances, until the mail has expired.
 */
const ofOthers = (own: readonly string[]) =>
  and(
    not(ofStrangers),
    or(inArray(outbox.kind, [...mailKinds, ...(own as Kind[])]), lte(outbox.expiresAt, sql`now()`))
  )
