import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { authorized } from '../access/authorize.ts'
import { lockRole } from '../access/roles.ts'
import type { SignedInActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { lockUser } from '../users/users.ts'
import { writeMembership } from './members.ts'

/**
 * Opens a scope of a kind, in which the user gets a role. Its name is new, so that nobody takes
 * that of a customer before the app does. Throws `role-not-found`, `role-not-scoped` and
 * `too-many-members`.
 */
export const openScope = (
  db: Db,
  actor: SignedInActor,
  { kind, role: key }: { kind: string; role: string }
) => {
  const scope = `${kind}:${uuid()}`
  const lock = async (tx: Db) => ({
    user: await lockUser(tx, actor.id),
    role: await lockRole(tx, key, 'share')
  })
  return authorized(db, actor, [], lock, async (tx, by, { user, role }) => {
    if (!user) throw new DomainError('unauthenticated')
    if (!role) throw new DomainError('role-not-found')
    await writeMembership(tx, by, { scope, user, role })
    return { scope, role: key }
  })
}
