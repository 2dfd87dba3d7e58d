import { and, count, desc, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { confirmationMails, outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow } from '../../../db/schema/outbox.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Buckets } from '../throttling/buckets.ts'
import { giveBack } from '../throttling/throttles.ts'

// Which mails that ask to confirm an address were confirmed. A registered address gets another
// mail in place of such a mail: it counts as well, so that the share tells nothing about accounts.

const kinds: OutboxRow['kind'][] = ['confirm', 'email-verify', 'email-change']
const { sentAt, confirmedAt } = confirmationMails

/** Call it before a mail is handed over, so that those under way count. */
export async function noteSent(db: Db, { id, kind }: Pick<OutboxRow, 'id' | 'kind'>) {
  if (!kinds.includes(kind)) return
  await transaction(db, (tx) => tx.insert(confirmationMails).values({ id }).onConflictDoNothing())
}

/**
 * Counts mails as confirmed in time, in the transaction of the confirmation. Then another call may
 * cause mail without a proof.
 * @param owner the id of the registration, which is that of its mail, or of the user
 */
export async function noteConfirmed(tx: Db, buckets: Buckets, owner: string) {
  // With `or` in place of `union`, no index of the ids would be used.
  const isTheirs = sql`${confirmationMails.id} in (
    select ${outbox.id} from ${outbox} where ${outbox.userId} = ${owner}
    union all select ${owner}::uuid)`
  const inADay = gt(sentAt, sql`now() - interval '24 hours'`)
  const confirmed = await tx
    .update(confirmationMails)
    .set({ confirmedAt: sql`now()` })
    .where(and(isTheirs, isNull(confirmedAt), inADay))
    .returning({ id: confirmationMails.id })
  const { key, seconds } = buckets.ofAll('mail-unproved')
  if (confirmed.length > 0) await giveBack(tx, [{ key, seconds }], 'refused')
}

/** The mails from which the share is computed, and how many of these must have been confirmed. */
const recent = { mails: 100, confirmed: 30 } as const
const hourAgo = sql`now() - interval '1 hour'`

/**
 * The last hundred mails, how many of these are of the last hour and not confirmed, and the time of
 * the database. Those that are missing to a hundred count as confirmed, so that a new portal
 * behaves like one that was used well.
 */
export async function readConfirmations(db: Db) {
  const columns = { sentAt, confirmedAt }
  const mails = db.select(columns).from(confirmationMails).orderBy(desc(sentAt))
  const last = mails.limit(recent.mails).as('last')
  const isOpen = sql`${last.confirmedAt} is null and ${last.sentAt} > ${hourAgo}`
  const [found] = await db
    .select({
      now: sql<Date>`clock_timestamp()`.mapWith(sentAt),
      sent: count(),
      confirmed: count(last.confirmedAt),
      open: sql<number>`count(*) filter (where ${isOpen})::int`
    })
    .from(last)
  if (!found) throw new Error('the mails were not counted')
  return { ...found, isLow: found.sent - found.confirmed > recent.mails - recent.confirmed }
}

/** The number of mails that asked to confirm an address in the last hour. */
export const countInHour = (db: Db) => db.$count(confirmationMails, gt(sentAt, hourAgo))
