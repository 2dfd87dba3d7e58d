import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { readTime } from '../../../db/time.ts'
import { isSessionOf } from '../actor.ts'
import type { SignedInActor } from '../actor.ts'
import { confirmEmailFirst, DomainError } from '../errors.ts'
import { factorsOf, findMethods, requireFactorLeft } from '../factors/enrolment.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { deleteRecoveryCodes } from '../factors/recovery-codes.ts'
import { lowerKeys } from '../keys/keys.ts'
import { createRevert } from '../mail/links.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import { hasAccountAt } from '../providers/accounts.ts'
import { revokeAllKeys } from '../services/key-revocation.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { lockOwnUser } from '../sign-in/own-account.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import type { LockedUser } from '../users/users.ts'

/**
 * Locks the actor, who is about to add a second factor or a provider account, and returns the time
 * that it gets. Where mail is delivered, their address must be confirmed: otherwise somebody could
 * register with the address of another person and keep a way in. Throws `unauthenticated`,
 * `email-unverified` and `reauthentication-required`.
 */
export async function lockToAddFactor(
  tx: Db,
  { mail, sessionRules }: Pick<Context, 'mail' | 'sessionRules'>,
  actor: SignedInActor
) {
  const user = await lockOwnUser(tx, actor, sessionRules)
  if (mail?.delivers && !user.emailVerifiedAt) throw confirmEmailFirst()
  await requireRecentAuthentication(tx, actor, user)
  return { user, at: await readTime(tx) }
}

type AddedNotice =
  | { kind: 'second-factor-added' | 'passkey-added'; keys: number }
  | { kind: 'provider-linked'; provider: string }

/**
 * Reports a new factor or a linked provider account to the owner of the account. If the password
 * alone was enough to add it, the mail has a link that removes it again, because a thief may know
 * the password as well. Call it before the factor raises the session.
 */
export async function reportFactor(
  tx: Db,
  { mail }: Pick<Context, 'mail'>,
  actor: SignedInActor,
  { user, at, notice }: { user: LockedUser; at: Date; notice: AddedNotice }
) {
  if (!mail || !user.emailVerifiedAt) return
  const [session] = await tx
    .select({ assurance: sessions.assurance })
    .from(sessions)
    .where(isSessionOf(actor))
  const link =
    session?.assurance === 1
      ? await createRevert(tx, { purpose: 'factor-revert', user, since: at })
      : undefined
  await notify(tx, mail, user, { ...notice, ...factsOf(actor), ...link })
}

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

/**
 * Refuses a removal after which nothing is left to sign in with. Call it after the removal, with
 * the user locked: the refusal rolls it back. Throws `last-sign-in-method`.
 */
export async function requireSignInMethod(
  tx: Db,
  { passkeys, providers }: Pick<Context, 'passkeys' | 'providers'>,
  userId: string
) {
  const withPassword = and(eq(users.id, userId), isNotNull(users.passwordHash))
  const hasOne =
    (await tx.$count(users, withPassword)) > 0 ||
    (await findMethods(tx, userId, { rpId: passkeys?.rpId })).includes('passkey') ||
    (await hasAccountAt(tx, userId, providers))
  if (!hasOne) throw new DomainError('last-sign-in-method')
}
