import { and, asc, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { retried } from '../../../db/transaction.ts'

/** Days that a row is kept once it is done: dead mail for longer, because it can be tried again. */
const keptDays = { dead: 30, others: 7 } as const

/** Deletes mail that has been done for days, at most `limit`, and returns how many. */
export async function deleteOldMail(db: Db, limit: number): Promise<number> {
  const doneBefore = (days: number) =>
    lt(outbox.doneAt, sql`now() - make_interval(days => ${days}::int)`)
  const old = and(
    ne(outbox.state, sql`'pending'`), // as a literal: the condition of the index
    doneBefore(keptDays.others),
    or(ne(outbox.state, 'dead'), doneBefore(keptDays.dead))
  )
  const ids = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(old)
    .orderBy(asc(outbox.doneAt))
    .limit(limit)
  const deleted = await retried(() =>
    db
      .delete(outbox)
      // The condition again: an operator may have made it pending since it was selected.
      .where(and(inArray(outbox.id, ids), old))
      .returning({ id: outbox.id })
  )
  return deleted.length
}
