import { and, eq, gt, isNull, not, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { outbox } from '../../../db/schema/outbox.ts'
import { changeAs, lockNothing } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { mailFinished, mailNotFound } from '../errors.ts'
import { isDue, isEarly } from './claim.ts'

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
  await changeAs(db, actor, 'outbox:retry', lock, async (tx, by, [found]) => {
    if (!found) throw mailNotFound()
    if (found.state === 'pending' && found.lease !== null) return
    const isWaiting = or(eq(outbox.state, 'dead'), eq(outbox.state, 'pending'))
    if ((await makeDue(tx, and(eq(outbox.id, id), isWaiting))) === 0) throw mailFinished()
    await record(tx, by, 'mail.retry', {
      userId: found.userId,
      details: { kind: found.kind, count: 1 }
    })
  })
}

/** Mails of one transaction, so that it ends within the statement timeout. */
const batch = 10_000

/**
 * The same for all mail that is dead, or that waits for its next try, and returns how many are due
 * now. Expired mail stays as it is.
 */
export async function retryAllMail(
  db: Db,
  actor: Actor,
  { state }: { state: 'dead' | 'pending' }
): Promise<number> {
  const isLater = state === 'pending' ? not(isDue) : undefined
  for (let total = 0; ;) {
    const count = await changeAs(db, actor, 'outbox:retry', lockNothing, async (tx, by) => {
      const due = await makeDue(tx, and(eq(outbox.state, state), isLater))
      if (due > 0) await record(tx, by, 'mail.retry', { details: { count: due } })
      return due
    })
    total += count
    if (count < batch) return total
  }
}

async function makeDue(tx: Db, which: SQL | undefined) {
  const isWanted = and(which, isNull(outbox.lease), gt(outbox.expiresAt, sql`now()`), not(isEarly))
  const ids = tx.select({ id: outbox.id }).from(outbox).where(isWanted).limit(batch)
  const due = await tx
    .update(outbox)
    .set({ state: 'pending', attempts: 0, nextAt: sql`now()`, doneAt: null })
    .where(and(sql`${outbox.id} = any(array(${ids}))`, isWanted))
    .returning({ id: outbox.id })
  return due.length
}
