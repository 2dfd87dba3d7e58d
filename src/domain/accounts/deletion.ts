import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { ofSeconds } from '../../../db/time.ts'
import { requireOtherAdmin } from '../access/last-admin.ts'
import { record } from '../activity/record.ts'
import type { Author, UserActor } from '../actor.ts'
import { DomainError, timeIn } from '../errors.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { forgetDone } from '../idempotency.ts'
import { secondsToRevert } from '../mail/links.ts'
import { factsOf, inMail, notify } from '../outbox/enqueue.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { createLinkToken, deleteLinkTokens } from '../tokens/tokens.ts'
import { writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import { linksToAddress } from './profile-changes.ts'

/**
 * Refuses the deletion by the user while a link can restore a former address: it cannot be undone,
 * and they may have taken the account over. Operators can delete it. Throws `deletion-waits`.
 */
export async function requireOwnAddress(tx: Db, { id }: LockedUser) {
  const seconds = await secondsToRevert(tx, id)
  if (seconds <= 0) return
  throw new DomainError('deletion-waits', {
    detail:
      'The e-mail address was changed in the last 72 hours, and its former owner can still take ' +
      `the account back. You can delete it after ${timeIn(seconds)}.`,
    retryAfter: seconds
  })
}

/** Throws `last-admin`. */
export async function removeUser(tx: Db, mail: Context['mail'], by: Author, user: LockedUser) {
  await requireOtherAdmin(tx, user)
  await tx.delete(users).where(eq(users.id, user.id))
  await forgetDone(tx, user.id)
  await record(tx, by, 'user.delete', { userId: user.id, details: { email: user.email } })
  await notify(tx, mail, user, { kind: 'account-deleted', ...factsOf(by) })
  await bumpUsers(tx, user.id)
}

/**
 * Deactivates an account until it is deleted, in `days` days. The user can restore it by signing in
 * or with the link in the mail. Returns the time of the deletion, which later changes of the
 * configuration do not move. Throws `last-admin`.
 */
export async function planDeletion(
  tx: Db,
  mail: Context['mail'],
  by: UserActor,
  { user, days }: { user: LockedUser; days: number }
): Promise<Date> {
  await requireOtherAdmin(tx, user)
  const seconds = days * 86_400
  const deleteAt = sql`now() + ${ofSeconds(seconds)}`
  await writeUser(tx, user.id, { status: 'deactivated', deleteAt })
  const [planned] = await tx
    .select({ deleteAt: users.deleteAt })
    .from(users)
    .where(eq(users.id, user.id))
  if (!planned?.deleteAt) throw new Error('a locked user was not found')
  // Whatever is under way: signing in later depends on it, because only `restore` begins it anew.
  await endPendingLogins(tx, user.id)
  const owner = { userId: user.id }
  await deleteLinkTokens(tx, linksToAddress, owner)
  const { length: revoked } = await revoke(tx, 'deactivated', eq(sessions.userId, user.id))
  await record(tx, by, 'user.deletion-plan', { userId: user.id, details: { revoked } })
  if (mail && user.emailVerifiedAt) {
    const purpose = 'restore'
    const { email } = user
    const link = await createLinkToken(tx, { purpose, owner, email, expiresIn: seconds })
    const content = link && ({ kind: 'deletion-planned', ...inMail(link), ...factsOf(by) } as const)
    if (content) await notify(tx, mail, user, content)
  }
  await bumpUsers(tx, user.id)
  return planned.deleteAt
}
