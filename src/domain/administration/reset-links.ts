import type { Db } from '../../../db/engine.ts'
import { actOn } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor, Permitted } from '../actor.ts'
import { userDeactivated, userNotFound } from '../errors.ts'
import { createLinkToken } from '../tokens/tokens.ts'

interface NewLink {
  userId: string
  /** Seconds. */
  expiresIn: number
}

/**
 * Creates a link with which a user sets a new password, for an operator to pass on, so that nobody
 * but the user chooses the password (OWASP ASVS 6.4.6). Throws `user-deactivated`.
 */
export async function createResetLink(db: Db, actor: Actor, input: NewLink) {
  return actOn(db, actor, 'users:update', { id: input.userId }, async (tx, by, target) => {
    if (target.status !== 'active') throw userDeactivated()
    return addResetLink(tx, by, input)
  })
}

/** Call it in a transaction that has locked the user, or has just created them. */
export async function addResetLink(tx: Db, by: Permitted, { userId, expiresIn }: NewLink) {
  // Without an address: it was not sent by mail, so using it confirms no mailbox.
  const owner = { userId }
  const link = await createLinkToken(tx, { purpose: 'password-reset', owner, expiresIn })
  if (!link) throw userNotFound()
  await record(tx, by, 'user.reset-link', { userId })
  return link
}
