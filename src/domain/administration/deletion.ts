import { transaction } from '../../../db/transaction.ts'
import { actOn } from '../access/rights.ts'
import { removeUser, requireOwnAddress } from '../accounts/deletion.ts'
import type { Actor } from '../actor.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { requireRevision } from '../revisions.ts'
import type { Expected } from '../revisions.ts'
import type { Services } from '../sign-in/services.ts'
import { userRevision } from '../users/users.ts'

/**
 * Deletes an account and all of its data except its activity records. Throws `last-admin`,
 * `exceeds-own-permissions`, `reauthentication-required` and `deletion-waits` for that of
 * the actor, and `precondition-failed`.
 */
export async function deleteUser(
  { db, mail }: Pick<Services, 'db' | 'mail'>,
  actor: Actor,
  { id, expected }: { id: string; expected?: Expected }
) {
  await transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'users:delete', id)
    requireRevision(userRevision(target), expected)
    requireAuthority()
    await requireProofIfOwn(tx, actor, target)
    if (actor.id === target.id) await requireOwnAddress(tx, target)
    await removeUser(tx, mail, actor, target)
  })
}
