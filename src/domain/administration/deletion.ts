import { actOn } from '../access/rights.ts'
import { removeUser, requireOwnAddress } from '../accounts/deletion.ts'
import type { Actor } from '../actor.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import type { Expected } from '../revisions.ts'
import type { Services } from '../sign-in/services.ts'

/**
 * Deletes an account and all of its data except its activity records. Throws `last-admin`,
 * `exceeds-own-permissions`, `reauthentication-required` and `deletion-waits` for that of
 * the actor, and `precondition-failed`.
 */
export async function deleteUser(
  { db, mail }: Pick<Services, 'db' | 'mail'>,
  actor: Actor,
  which: { id: string; expected?: Expected }
) {
  await actOn(db, actor, 'users:delete', which, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    if (by.id === target.id) await requireOwnAddress(tx, target)
    await removeUser(tx, mail, by, target)
  })
}
