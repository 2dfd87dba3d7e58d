import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { requireOtherAdmin } from '../access/last-admin.ts'
import { actOn } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { deletionWaits } from '../errors.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { notify, occasionOf } from '../mail/notices.ts'
import type { MailService } from '../mail/sending.ts'
import { requireRevision } from '../revisions.ts'
import type { Expected } from '../revisions.ts'
import type { LockedUser } from '../users/lock.ts'
import { userRevision } from '../users/users.ts'
import { secondsToRevert } from './revert-links.ts'
import type { Services } from './services.ts'

/**
 * Deletes an account and all of its data except its activity records. Throws `last-admin`,
 * `exceeds-own-permissions`, `reauthentication-required` and `deletion-waits` for that of
 * the actor, and `precondition-failed`.
 */
export async function deleteUser(
  { db, mail }: Pick<Services, 'db' | 'mail'>,
  actor: Actor,
  { id, expected }: { id: string; expected?: Expected }
) {
  await transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'users:delete', id)
    requireRevision(userRevision(target), expected)
    requireAuthority()
    await requireProofIfOwn(tx, actor, target)
    if (actor.id === target.id) await requireOwnAddress(tx, target)
    await removeUser(tx, mail, actor, target)
  })
}

/**
 * Refuses the deletion by the user while a link can restore a former address: it cannot be undone,
 * and they may have taken the account over. Operators can delete it. Throws `deletion-waits`.
 */
export async function requireOwnAddress(tx: Db, { id }: LockedUser) {
  const seconds = await secondsToRevert(tx, id)
  if (seconds > 0) throw deletionWaits(seconds)
}

/** Throws `last-admin`. */
export async function removeUser(
  tx: Db,
  mail: MailService | undefined,
  actor: Actor,
  user: LockedUser
) {
  await requireOtherAdmin(tx, user)
  await tx.delete(users).where(eq(users.id, user.id))
  await record(tx, actor, 'user.delete', {
    target: { type: 'user', id: user.id },
    details: { email: user.email }
  })
  await notify(tx, mail, user, { kind: 'account-deleted', ...occasionOf(actor) })
  await bumpUsers(tx, user.id)
}
