import { readTime } from '../../../db/time.ts'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import type { SignedInActor } from '../actor.ts'
import { confirmEmailFirst } from '../errors.ts'
import { requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { notify, factsOf } from '../mail/notices.ts'
import { isSessionOf } from '../presented-session.ts'
import type { LockedUser } from '../users/lock.ts'
import { lockSelf } from '../sign-in/confirmed-identity.ts'
import { createRevert } from '../mail/revert-links.ts'
import type { Services } from '../sign-in/services.ts'

/**
 * Locks the actor, who is about to add a second factor or a provider account, and returns the time
 * that it gets. Where mail is delivered, their address must be confirmed: otherwise somebody could
 * register with the address of another person and keep a way in. Throws `unauthenticated`,
 * `email-unverified` and `reauthentication-required`.
 */
export async function lockToAddFactor(
  tx: Db,
  { mail, sessionRules }: Pick<Services, 'mail' | 'sessionRules'>,
  actor: SignedInActor
) {
  const user = await lockSelf(tx, actor, sessionRules)
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
  { mail }: Pick<Services, 'mail'>,
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
