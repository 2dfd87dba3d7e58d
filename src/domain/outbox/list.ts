import { and, desc, eq, getTableColumns, gt, not, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow, outboxSorts } from '../../../db/schema/outbox.ts'
import { authorized, lockNothing } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { filteredPage, page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import type { Sealing } from '../sealing.ts'
import { isEarly } from './claim.ts'
import { openPayload } from './enqueue.ts'
import { backlogOf, runBatches, isDue, isPending, makeDue } from './leases.ts'

// Never the payload, which is sealed.
const { payload, lease, ...columns } = getTableColumns(outbox)
const list = { table: outbox, columns, orders: { createdAt: [outbox.id] } }

export interface OutboxFilters {
  userId?: string | undefined
  state?: OutboxRow['state'] | undefined
}

export async function listOutbox(
  db: Db,
  { userId, state, ...window }: OutboxFilters & Window<(typeof outboxSorts)[number]>
) {
  const where = state && eq(outbox.state, state)
  if (userId === undefined) return page(db, list, window, where)
  // The index of a user's mail is not in the order of ids.
  return filteredPage(db, list, window, { where, indexed: [eq(outbox.userId, userId)] })
}

/**
 * The number of mails that wait for delivery, and the age of the oldest in seconds, 0 for none.
 * Requests do not count, because they may not become mail. Reads only the index of pending mail,
 * because metrics ask for it often.
 */
export async function readBacklog(db: Db) {
  const [backlog] = await db
    .select(backlogOf(outbox))
    .from(outbox)
    .where(and(isPending(outbox), not(isEarly)))
  return backlog ?? { pending: 0, oldestSeconds: 0 }
}

/** The most frequent error of pending mail with its reply, null if none of it has failed. */
export async function readCommonError(db: Db): Promise<string | null> {
  const { lastError, lastReply } = outbox
  const error = sql`nullif(concat_ws(': ', ${lastError}, ${lastReply}), '')`
  const [row] = await db
    .select({ error: sql<string | null>`mode() within group (order by ${error})` })
    .from(outbox)
    .where(isPending(outbox))
  return row?.error ?? null
}

export const countDead = (db: Db): Promise<number> => db.$count(outbox, eq(outbox.state, 'dead'))

/** How many mails of a kind were written for a user in the last 24 hours. */
export const countRecent = (db: Db, userId: string, kind: OutboxRow['kind']): Promise<number> =>
  db.$count(
    outbox,
    and(
      eq(outbox.userId, userId),
      eq(outbox.kind, kind),
      gt(outbox.createdAt, sql`now() - interval '24 hours'`)
    )
  )

// For operators, once they have fixed the cause.

/**
 * Makes a mail that is dead or waits for its next try due at once. Nothing changes while it is
 * being delivered. Throws `mail-not-found`, and `mail-finished` when it was sent or has
 * expired.
 */
export async function retryMail(db: Db, actor: Actor, { id }: { id: string }): Promise<void> {
  const { state, lease, kind, userId } = outbox
  const lock = (tx: Db) =>
    tx.select({ state, lease, kind, userId }).from(outbox).where(eq(outbox.id, id)).for('update')
  await authorized(db, actor, 'outbox:retry', lock, async (tx, by, [found]) => {
    if (!found) throw new DomainError('mail-not-found')
    if (found.state === 'pending' && found.lease !== null) return
    const isWaiting = or(eq(outbox.state, 'dead'), eq(outbox.state, 'pending'))
    if ((await retry(tx, and(eq(outbox.id, id), isWaiting))) === 0) {
      throw new DomainError('mail-finished')
    }
    await record(tx, by, 'mail.retry', {
      userId: found.userId,
      details: { kind: found.kind, count: 1 }
    })
  })
}

/**
 * Retries all mail that is dead, or that waits for its next try, and returns how many are due now.
 * Expired mail stays as it is.
 */
export const retryAllMail = (
  db: Db,
  actor: Actor,
  { state }: { state: 'dead' | 'pending' }
): Promise<number> =>
  runBatches(() =>
    authorized(db, actor, 'outbox:retry', lockNothing, async (tx, by) => {
      const isLater = state === 'pending' ? not(isDue(outbox)) : undefined
      const due = await retry(tx, and(eq(outbox.state, state), isLater))
      if (due > 0) await record(tx, by, 'mail.retry', { details: { count: due } })
      return due
    })
  )

const retry = (tx: Db, which: SQL | undefined) =>
  makeDue(tx, outbox, and(which, gt(outbox.expiresAt, sql`now()`), not(isEarly)))

interface Which {
  id?: string | undefined
  kind?: string | undefined
  limit: number
}

/**
 * The newest mail that was caught in development, of this kind or with this id. Mail that no key
 * opens is left out.
 */
export async function openDevMails(db: Db, sealing: Sealing, { id, kind, limit }: Which) {
  const rows = await db
    .select()
    .from(outbox)
    .where(
      and(
        eq(outbox.state, 'caught'),
        id === undefined ? undefined : eq(outbox.id, id),
        kind === undefined ? undefined : eq(outbox.kind, kind as OutboxRow['kind'])
      )
    )
    .orderBy(desc(outbox.id))
    .limit(limit)
  return rows.flatMap((row) => {
    const payload = openPayload(sealing, row.id, row.payload)
    return payload ? [{ ...row, payload }] : []
  })
}
