import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import { record } from '../activity/record.ts'
import type { Author, SignedInActor } from '../actor.ts'
import { confirmEmailFirst, mailOff } from '../errors.ts'
import { needsEnrolmentToken } from '../factors/enrolment.ts'
import { enrolmentLinkNotNeeded, enrolmentLinkWaits } from '../factors/errors.ts'
import { sendLink } from '../mail/links.ts'
import { throttled } from '../throttling/admission.ts'
import { normalizeEmail } from '../users/emails.ts'
import type { LockedUser } from '../users/lock.ts'
import { changeSelf } from '../sign-in/confirmed-identity.ts'
import { findEmail } from './emails.ts'
import type { Services } from '../sign-in/services.ts'

// Links for the first second factor of users whose roles require one.

/**
 * Sends a link to the confirmed address of the actor. Throws `mail-off`, `email-unverified`,
 * `enrolment-link-not-needed`, `enrolment-link-waits` and `rate-limited`.
 */
export async function requestEnrolmentLink(services: Services, actor: SignedInActor) {
  const { db, mail, buckets } = services
  const arrived = performance.now()
  if (!mail) throw mailOff()
  const { email, verified } = await findEmail(db, actor)
  await requireUse(db, actor, verified)
  await requireNoRecovery(db, actor) // before the request counts
  const wanted = buckets.ownMail(actor.ip, normalizeEmail(email) ?? '')
  await throttled(services, { wanted, findUser: async () => actor.id, arrived }, () =>
    changeSelf(services, actor, async (tx, user) => {
      await requireUse(tx, user, user.emailVerifiedAt !== null)
      await requireNoRecovery(tx, user)
      await sendLink(tx, mail, 'factor-enrolment', user)
      await recordLink(tx, actor, user)
    })
  )
}

/** Throws `enrolment-link-not-needed` and `email-unverified`. */
export async function requireUse(db: Db, user: { id: string }, verified = true) {
  if (!(await needsEnrolmentToken(db, user))) throw enrolmentLinkNotNeeded()
  if (!verified) throw confirmEmailFirst()
}

/** How long a new password by mail keeps further links out of the same mailbox. */
const recoverySeconds = 72 * 3600

/**
 * The mailbox alone must not lead to a role that requires two factors. Throws
 * `enrolment-link-waits`.
 */
async function requireNoRecovery(db: Db, { id }: { id: string }) {
  const [user] = await db
    .select({
      ago: sql`extract(epoch from now() - ${users.recoveredAt})::float8`.mapWith(Number)
    })
    .from(users)
    .where(and(eq(users.id, id), isNotNull(users.recoveredAt)))
  const left = recoverySeconds - (user?.ago ?? recoverySeconds)
  if (left > 0) throw enrolmentLinkWaits(Math.ceil(left))
}

export const recordLink = (tx: Db, by: Author, { id }: LockedUser) =>
  record(tx, by, 'user.enrolment-link', { userId: id })
