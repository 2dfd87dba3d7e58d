import type { Db } from '../../../db/engine.ts'
import { transaction } from '../../../db/transaction.ts'
import { actOn } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor, SignedInActor } from '../activity/record.ts'
import { emailUnverified, mailOff, userDeactivated, userNotFound } from '../errors.ts'
import { needsEnrolmentToken } from '../factors/enrolment.ts'
import { enrolmentLinkNotNeeded } from '../factors/errors.ts'
import { sendLink } from '../mail/links.ts'
import { throttled } from '../throttling/admission.ts'
import { createToken } from '../tokens/tokens.ts'
import { normaliseEmail } from '../users/emails.ts'
import type { LockedUser } from '../users/lock.ts'
import { lockSelf } from './confirmed-identity.ts'
import { findEmail } from './emails.ts'
import type { Services } from './services.ts'

// Links for the first second factor of users whose roles require one.

/**
 * Sends a link to the confirmed address of the actor. Throws `mail-off`, `email-unverified`,
 * `enrolment-link-not-needed` and `rate-limited`.
 */
export async function requestEnrolmentLink(services: Services, actor: SignedInActor) {
  const { db, mail, buckets, sessionRules } = services
  const arrived = performance.now()
  if (!mail) throw mailOff()
  const { email, verified } = await findEmail(db, actor)
  await requireUse(db, actor, verified)
  const counted = {
    wanted: buckets.ownMail(actor.ip, normaliseEmail(email) ?? ''),
    findUser: async () => actor.id,
    arrived
  }
  await throttled(services, counted, () =>
    transaction(db, async (tx) => {
      const user = await lockSelf(tx, actor, sessionRules)
      await requireUse(tx, user, user.emailVerifiedAt !== null)
      await sendLink(tx, mail, 'factor-enrolment', user)
      await recordLink(tx, actor, user)
    })
  )
}

/**
 * Creates a link for an operator to pass on, where no mail is sent. Throws `user-deactivated` and
 * `enrolment-link-not-needed`.
 * @param input `expiresIn` in seconds
 */
export async function createEnrolmentLink(
  db: Db,
  actor: Actor,
  { userId, expiresIn }: { userId: string; expiresIn: number }
) {
  return transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'users:update', userId)
    requireAuthority()
    if (target.status !== 'active') throw userDeactivated()
    await requireUse(tx, target)
    const owner = { userId }
    const link = await createToken(tx, { purpose: 'factor-enrolment', owner, expiresIn })
    if (!link) throw userNotFound()
    await recordLink(tx, actor, target)
    return link
  })
}

async function requireUse(db: Db, user: { id: string }, verified = true) {
  if (!(await needsEnrolmentToken(db, user))) throw enrolmentLinkNotNeeded()
  if (!verified) throw emailUnverified()
}

const recordLink = (tx: Db, actor: Actor, { id }: LockedUser) =>
  record(tx, actor, 'user.enrolment-link', { target: { type: 'user', id } })
