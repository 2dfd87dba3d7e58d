import type { Db } from '../../../db/engine.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor, Author } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { Recipient } from '../outbox/enqueue.ts'
import { giveBack } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { writeUser } from '../users/users.ts'
import type { Context } from './context.ts'

/**
 * Restores an account whose deletion is planned. Call it with the user locked, and bump the user
 * afterwards.
 * @param reason why nobody asked for it
 */
export async function cancelDeletion(
  tx: Db,
  mail: Context['mail'],
  by: Author,
  user: Recipient,
  reason?: 'last-admin'
) {
  await writeUser(tx, user.id, { status: 'active', deleteAt: null })
  await deleteLinkTokens(tx, ['restore'], { userId: user.id })
  await record(tx, by, 'user.deletion-cancel', {
    userId: user.id,
    ...(reason && { reason })
  })
  const content = { kind: 'deletion-cancelled', ...factsOf(by), ...(reason && { reason }) } as const
  await notify(tx, mail, user, content)
}

interface Pending {
  account: { id: string; email: string }
  deleteAt: Date
  paid: Charge
}

/**
 * Records a sign-in with the right password or passkey to an account whose deletion is planned, and
 * returns the refusal. The attempt costs nothing: no guess was wrong.
 */
export async function refusePending(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { account, deleteAt, paid }: Pending
) {
  await transaction(db, async (tx) => {
    await record(tx, actor, 'auth.login', {
      outcome: 'failure',
      reason: 'deletion-pending',
      userId: account.id,
      details: { email: account.email }
    })
    await giveBack(tx, paid, 'refused')
  })
  return new DomainError('deletion-pending', { details: { userId: account.id }, deleteAt })
}
