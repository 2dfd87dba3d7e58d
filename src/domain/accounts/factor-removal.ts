import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import type { SignedInActor } from '../activity/record.ts'
import { requireFactorLeft } from '../factors/enrolment.ts'
import { factorsOf } from '../factors/methods.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { deleteRecoveryCodes } from '../factors/recovery-codes.ts'
import { revoke } from '../sessions/sessions.ts'
import type { LockedUser } from '../users/lock.ts'

/**
 * Completes the removal of a factor: recovery codes go with the last one, and all other sessions of
 * the actor end. Returns the number of sessions. Throws `last-second-factor`, which rolls it back.
 */
export async function completeRemoval(tx: Db, actor: SignedInActor, user: LockedUser) {
  await requireFactorLeft(tx, user)
  if ((await factorsOf(tx, user.id)).length === 0) await deleteRecoveryCodes(tx, user.id)
  return endOthers(tx, actor)
}

/** Ends what a factor may have proved elsewhere. Returns the number of sessions. */
export async function endOthers(tx: Db, { id, sessionId }: SignedInActor) {
  await endPendingLogins(tx, id)
  const others = and(eq(sessions.userId, id), ne(sessions.id, sessionId))
  return (await revoke(tx, 'second-factor', others)).length
}
