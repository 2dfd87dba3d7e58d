import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import { requireOtherAdmin } from '../access/last-admin.ts'
import { record } from '../activity/record.ts'
import type { Author } from '../actor.ts'
import { deletionWaits } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { notify, factsOf } from '../mail/notices.ts'
import type { Services } from '../sign-in/services.ts'
import type { LockedUser } from '../users/lock.ts'
import { secondsToRevert } from './revert-links.ts'

/**
 * Refuses the deletion by the user while a link can restore a former address: it cannot be undone,
 * and they may have taken the account over. Operators can delete it. Throws `deletion-waits`.
 */
export async function requireOwnAddress(tx: Db, { id }: LockedUser) {
  const seconds = await secondsToRevert(tx, id)
  if (seconds > 0) throw deletionWaits(seconds)
}

/** Throws `last-admin`. */
export async function removeUser(tx: Db, mail: Services['mail'], by: Author, user: LockedUser) {
  await requireOtherAdmin(tx, user)
  await tx.delete(users).where(eq(users.id, user.id))
  await record(tx, by, 'user.delete', { userId: user.id, details: { email: user.email } })
  await notify(tx, mail, user, { kind: 'account-deleted', ...factsOf(by) })
  await bumpUsers(tx, user.id)
}
