import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import type { SignedInActor } from '../actor.ts'
import { requireFactorLeft } from '../factors/enrolment.ts'
import { factorsOf } from '../factors/methods.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { deleteRecoveryCodes } from '../factors/recovery-codes.ts'
import { lowerKeys } from '../keys/keys.ts'
import { revokeAllKeys } from '../machines/revocation.ts'
import { isSessionOf } from '../presented-session.ts'
import { revoke } from '../sessions/sessions.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import type { LockedUser } from '../users/lock.ts'

/**
 * Completes the removal of a factor: all other sessions of the actor end. With the last one,
 * recovery codes go, and so does the second factor that the session and API keys have proved:
 * otherwise it would count for a role that requires one later, when the account has none. Returns
 * the number of sessions that ended and of keys that lost it. Throws `last-second-factor`, which
 * rolls it back.
 * @param rpId with which passkeys can be used
 */
export async function completeRemoval(
  tx: Db,
  actor: SignedInActor,
  user: LockedUser,
  rpId: string | undefined
) {
  await requireFactorLeft(tx, user, rpId)
  let lowered = 0
  if ((await factorsOf(tx, user.id)).length === 0) {
    await deleteRecoveryCodes(tx, user.id)
    await lowerSession(tx, actor)
    lowered = await lowerKeys(tx, user.id)
  }
  return { revoked: await endOthers(tx, actor), lowered }
}

/** `amr` still says how the user authenticated, but no longer that it was with several factors. */
const lowerSession = (tx: Db, actor: SignedInActor) =>
  tx
    .update(sessions)
    .set({
      assurance: 1,
      amr: sql`array_to_string(array_remove(string_to_array(${sessions.amr}, ' '), 'mfa'), ' ')`
    })
    .where(isSessionOf(actor))

/** Ends what a factor may have proved elsewhere. Returns the number of sessions. */
export async function endOthers(tx: Db, { id, sessionId }: SignedInActor) {
  await endPendingLogins(tx, id)
  const others = and(eq(sessions.userId, id), ne(sessions.id, sessionId))
  return (await revoke(tx, 'second-factor', others)).length
}

/**
 * Ends everything that a thief with the password may have prepared before the first second factor:
 * other sessions, API keys, pending sign-ins, and links that change the address. Links that restore
 * an address or set a new password stay, because they need the mailbox and skip no second factor.
 * Returns the numbers of sessions and of keys.
 */
export async function endWhatCameBefore(tx: Db, actor: SignedInActor) {
  await deleteLinkTokens(tx, ['email-change', 'factor-enrolment'], { userId: actor.id })
  return { revoked: await endOthers(tx, actor), keys: await revokeAllKeys(tx, actor) }
}
