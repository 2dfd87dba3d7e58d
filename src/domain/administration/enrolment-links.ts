import type { Db } from '../../../db/engine.ts'
import { actOn } from '../access/rights.ts'
import { recordLink, requireUse } from '../accounts/enrolment-links.ts'
import type { Actor } from '../actor.ts'
import { userDeactivated, userNotFound } from '../errors.ts'
import { createLinkToken } from '../tokens/tokens.ts'

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
  return actOn(db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    if (target.status !== 'active') throw userDeactivated()
    await requireUse(tx, target)
    const owner = { userId }
    const link = await createLinkToken(tx, { purpose: 'factor-enrolment', owner, expiresIn })
    if (!link) throw userNotFound()
    await recordLink(tx, by, target)
    return link
  })
}
