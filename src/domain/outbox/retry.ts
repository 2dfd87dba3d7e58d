import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { transaction } from '../../../db/transaction.ts'
import { requirePermission } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { mailFinished, mailNotFound } from '../errors.ts'

// For operators, once they have repaired the reason.

/**
 * Makes a mail that is dead or waits for its next try due at once. Nothing changes while it is
 * being delivered. Throws `mail-not-found`, and `mail-finished` when it was sent or nobody wants it
 * any more.
 */
export async function retryMail(db: Db, actor: Actor, { id }: { id: string }): Promise<void> {
  await transaction(db, async (tx) => {
    const [found] = await tx
      .select({
        state: outbox.state,
        lease: outbox.lease,
        kind: outbox.kind,
        userId: outbox.userId
      })
      .from(outbox)
      .where(eq(outbox.id, id))
      .for('update')
    await requirePermission(tx, actor, 'outbox:retry')
    if (!found) throw mailNotFound()
    if (found.state === 'pending' && found.lease !== null) return
    const isWaiting = or(eq(outbox.state, 'dead'), eq(outbox.state, 'pending'))
    if ((await makeDue(tx, and(eq(outbox.id, id), isWaiting))) === 0) throw mailFinished()
    await record(tx, actor, 'mail.retry', {
      ...(found.userId !== null && { target: { type: 'user', id: found.userId } }),
      details: { kind: found.kind, count: 1 }
    })
  })
}

/**
 * The same for all mail that is dead, or that waits for its next try, and returns how many are due
 * now. What has expired stays as it is.
 */
export const retryAllMail = (
  db: Db,
  actor: Actor,
  { state }: { state: 'dead' | 'pending' }
): Promise<number> =>
  transaction(db, async (tx) => {
    await requirePermission(tx, actor, 'outbox:retry')
    const isLater = state === 'pending' ? gt(outbox.nextAt, sql`now()`) : undefined
    const count = await makeDue(tx, and(eq(outbox.state, state), isLater))
    if (count > 0) await record(tx, actor, 'mail.retry', { details: { count } })
    return count
  })

async function makeDue(tx: Db, which: SQL | undefined) {
  const due = await tx
    .update(outbox)
    .set({ state: 'pending', attempts: 0, nextAt: sql`now()`, doneAt: null })
    .where(and(which, isNull(outbox.lease), gt(outbox.expiresAt, sql`now()`)))
    .returning({ id: outbox.id })
  return due.length
}
