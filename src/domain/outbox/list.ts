import { and, eq, getTableColumns, gt, not, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import type { OutboxRow, outboxSorts } from '../../../db/schema/outbox.ts'
import { filteredPage, page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { isEarly } from './claim.ts'

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
 * What waits for delivery: how many, and the age of the oldest in seconds, 0 for none. Without what
 * is not a mail yet. Reads only the index of pending mail, because metrics ask for it often.
 */
export async function readBacklog(db: Db) {
  const [backlog] = await db
    .select({
      pending: sql<number>`count(*)::int`,
      oldestSeconds: sql<number>`
        greatest(extract(epoch from now() - min(${outbox.createdAt})), 0)::float8`
    })
    .from(outbox)
    // As a literal: the condition of the index.
    .where(and(eq(outbox.state, sql`'pending'`), not(isEarly)))
  return backlog ?? { pending: 0, oldestSeconds: 0 }
}

/** The most frequent error of pending mail with its reply, null if none of it has failed. */
export async function readCommonError(db: Db): Promise<string | null> {
  const { lastError, lastReply } = outbox
  const error = sql`nullif(concat_ws(': ', ${lastError}, ${lastReply}), '')`
  const [row] = await db
    .select({ error: sql<string | null>`mode() within group (order by ${error})` })
    .from(outbox)
    .where(eq(outbox.state, sql`'pending'`)) // as a literal: the condition of the index
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
