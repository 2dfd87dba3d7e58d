import type { Db } from '../../../db/engine.ts'
import type { SignedInActor } from '../actor.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { endOthers } from './factor-removal.ts'

/**
 * Ends everything that a thief with the password may have prepared before the first second factor:
 * other sessions, pending sign-ins, and links that change the address. Links that restore an
 * address or set a new password stay, because they need the mailbox and skip no second factor.
 * Returns the number of sessions.
 */
export async function endWhatCameBefore(tx: Db, actor: SignedInActor) {
  await deleteLinkTokens(tx, ['email-change', 'factor-enrolment'], { userId: actor.id })
  return endOthers(tx, actor)
}
