import type { Db } from '../../../db/engine.ts'
import { actOn } from '../access/rights.ts'
import { recordLink, requireUse } from '../accounts/enrolment-links.ts'
import { record } from '../activity/record.ts'
import type { Actor, Permitted } from '../actor.ts'
import { userDeactivated, userNotFound } from '../errors.ts'
import { createLinkToken } from '../tokens/tokens.ts'

// Links for an operator to pass on. They have no address: they were not sent by mail, so using them
// confirms no mailbox.

interface NewLink {
  userId: string
  /** Seconds. */
  expiresIn: number
}

/**
 * Creates a link with which a user sets a new password, so that nobody but the user chooses the
 * password (OWASP ASVS 6.4.6). Throws `user-deactivated`.
 */
export const createResetLink = (db: Db, actor: Actor, input: NewLink) =>
  actOn(db, actor, 'users:update', { id: input.userId }, async (tx, by, target) => {
    if (target.status !== 'active') throw userDeactivated()
    return addResetLink(tx, by, input)
  })

/** Call it in a transaction that has locked the user, or has just created them. */
export async function addResetLink(tx: Db, by: Permitted, input: NewLink) {
  const link = await addLink(tx, 'password-reset', input)
  await record(tx, by, 'user.reset-link', { userId: input.userId })
  return link
}

/**
 * Creates a link with which a user sets up the first second factor, where no mail is sent. Throws
 * `user-deactivated` and `enrolment-link-not-needed`.
 */
export const createEnrolmentLink = (db: Db, actor: Actor, input: NewLink) =>
  actOn(db, actor, 'users:update', { id: input.userId }, async (tx, by, target) => {
    if (target.status !== 'active') throw userDeactivated()
    await requireUse(tx, target)
    const link = await addLink(tx, 'factor-enrolment', input)
    await recordLink(tx, by, target)
    return link
  })

async function addLink(
  tx: Db,
  purpose: 'password-reset' | 'factor-enrolment',
  { userId, expiresIn }: NewLink
) {
  const link = await createLinkToken(tx, { purpose, owner: { userId }, expiresIn })
  if (!link) throw userNotFound()
  return link
}
