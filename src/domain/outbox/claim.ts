import { and, asc, eq, getTableColumns, inArray, isNull, lte, not, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { mailKinds, outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Payload } from './enqueue.ts'
import { isDue, isPending, leaseRows } from './leases.ts'

export const leaseSeconds = 60

/**
 * A deferred decision: when the row is due, the worker decides whether to send mail. See
 * src/domain/mail/unfinished-sign-ins.ts.
 */
export const isEarly = and(
  eq(outbox.kind, 'sign-in-unfinished'),
  isNull(outbox.userId), // the owner is set with the decision
  eq(outbox.attempts, 0),
  not(isDue(outbox))
) as SQL

const isWaiting = and(isPending(outbox), isDue(outbox))

/** How many of the last deliveries in a row were abandoned: the worker died or took too long. */
const abandoned = sql<number>`coalesce(
  substring(${outbox.lastError} from '^abandoned ([0-9]+)$')::int, 0)`

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
 * most `limit`, and none that another worker has. A row that a dead worker had is claimed alone, by
 * an idle instance: if it kills the process, no other delivery is lost.
 */
export async function claim(
  db: Db,
  limit: number,
  { strangers = limit, isIdle = true, own = [] }: Room = {}
) {
  // An outbox is empty most of the time. To ask that takes one statement outside of a transaction.
  const [waiting] = await db.select({ id: outbox.id }).from(outbox).where(isWaiting).limit(1)
  if (!waiting) return []
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
    return leaseRows(tx, outbox, {
      which: inArray(outbox.id, ids),
      seconds: leaseSeconds,
      columns: {
        lastError: sql`case when ${outbox.lease} is not null then 'abandoned ' || ${abandoned} + 1
          when ${outbox.lastError} not like 'abandoned%' then ${outbox.lastError} end`
      },
      returning: {
        ...getTableColumns(outbox),
        expired: sql<boolean>`${outbox.expiresAt} <= now()`,
        abandoned
      }
    })
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
  return (
    tx
      // One that has a lease was left by a worker that died.
      .select({ id: outbox.id, suspect: sql<boolean>`${outbox.lease} is not null` })
      .from(outbox)
      .where(and(isWaiting, which))
      .orderBy(asc(outbox.nextAt))
      .limit(limit)
      .for('update', { skipLocked: true })
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
