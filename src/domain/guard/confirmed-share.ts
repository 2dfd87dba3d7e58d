import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { confirmationMails, outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Buckets } from '../throttling/buckets.ts'
import { giveBack } from '../throttling/throttles.ts'

// Which mails that ask to confirm an address were confirmed. A registered address gets another
// mail in place of such a mail: it counts as well, so that the share tells nothing about accounts.

const kinds: OutboxRow['kind'][] = ['confirm', 'email-verify', 'email-change']
export const asksToConfirm = (kind: OutboxRow['kind']) => kinds.includes(kind)

const inADay = gt(confirmationMails.sentAt, sql`now() - interval '24 hours'`)

/** Call it before the mail is handed over, so that those under way count. */
export const noteSent = (db: Db, id: string) =>
  transaction(db, (tx) => tx.insert(confirmationMails).values({ id }).onConflictDoNothing())

/**
 * Counts the mail of a registration, or those to a user, as confirmed in time, in the transaction
 * of the confirmation. Then another call may cause mail without a proof.
 */
export async function noteConfirmed(
  tx: Db,
  buckets: Buckets,
  of: { registrationId: string } | { userId: string }
) {
  const { id, userId, kind } = outbox
  const toUser = (user: string) => and(eq(userId, user), inArray(kind, kinds))
  const ids =
    'userId' in of ? tx.select({ id }).from(outbox).where(toUser(of.userId)) : [of.registrationId]
  const confirmed = await tx
    .update(confirmationMails)
    .set({ confirmedAt: sql`now()` })
    .where(and(inArray(confirmationMails.id, ids), isNull(confirmationMails.confirmedAt), inADay))
    .returning({ id: confirmationMails.id })
  const { key, seconds } = buckets.unproved()
  if (confirmed.length > 0) await giveBack(tx, [{ key, seconds }], 'refused')
}

/** The mails from which the share is computed, and how many of these must have been confirmed. */
const recent = { mails: 100, confirmed: 30 } as const

/**
 * The last hundred mails, and the time of the database. Those that are missing to a hundred count
 * as confirmed, so that a new portal behaves like one that was used well.
 */
export async function readConfirmations(db: Db) {
  const last = db
    .select({ confirmedAt: confirmationMails.confirmedAt })
    .from(confirmationMails)
    .orderBy(sql`${confirmationMails.sentAt} desc`)
    .limit(recent.mails)
    .as('last')
  const now = sql<Date>`clock_timestamp()`.mapWith(confirmationMails.sentAt)
  const [found] = await db.select({ ...counted(last.confirmedAt), now }).from(last)
  if (!found) throw new Error('the mails were not counted')
  return { ...found, isLow: found.sent - found.confirmed > recent.mails - recent.confirmed }
}

const counted = (confirmedAt: AnyPgColumn) => ({
  sent: sql<number>`count(*)::int`,
  confirmed: sql<number>`count(${confirmedAt})::int`
})

/** The mails that asked to confirm an address in the last hour. */
export async function readHour(db: Db) {
  const [found] = await db
    .select(counted(confirmationMails.confirmedAt))
    .from(confirmationMails)
    .where(gt(confirmationMails.sentAt, sql`now() - interval '1 hour'`))
  return found ?? { sent: 0, confirmed: 0 }
}
