import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { serviceRoles } from '../../../db/schema/services.ts'
import { changeAs } from '../access/rights.ts'
import { lockRole } from '../access/roles.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { roleNotFound, serviceNotFound } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { lockService, targetOf, writeService } from './services.ts'

/** Keys of a service and a role. */
interface Membership {
  service: string
  role: string
}

interface Ids {
  serviceId: string
  roleId: string
}

/**
 * Grants a role to a service, without effect when it has it. Throws `service-not-found`,
 * `role-not-found`, and `exceeds-own-permissions` when the role or the service has a permission
 * that the actor lacks.
 */
export const grantServiceRole = (db: Db, actor: Actor, membership: Membership) =>
  changeMembership(db, actor, membership, 'service.role-grant', (tx, ids) =>
    tx.insert(serviceRoles).values(ids).onConflictDoNothing().returning()
  )

/** Revokes a role from a service, without effect when it does not have it. Throws as above. */
export const revokeServiceRole = (db: Db, actor: Actor, membership: Membership) =>
  changeMembership(db, actor, membership, 'service.role-revoke', (tx, { serviceId, roleId }) =>
    tx
      .delete(serviceRoles)
      .where(and(eq(serviceRoles.serviceId, serviceId), eq(serviceRoles.roleId, roleId)))
      .returning()
  )

/** Locks the service and the role, as with a user. */
async function changeMembership(
  db: Db,
  actor: Actor,
  { service: key, role: roleKey }: Membership,
  action: 'service.role-grant' | 'service.role-revoke',
  write: (tx: Db, ids: Ids) => Promise<unknown[]>
) {
  const lock = async (tx: Db) => ({
    service: await lockService(tx, key),
    role: await lockRole(tx, roleKey, 'share')
  })
  await changeAs(db, actor, 'services:update', lock, async (tx, by, { service, role }) => {
    if (!service) throw serviceNotFound()
    if (!role) throw roleNotFound()
    by.requireAll([...service.allPermissions, ...role.permissions])
    const changed = await write(tx, { serviceId: service.id, roleId: role.id })
    if (changed.length === 0) return
    await writeService(tx, service.id)
    const details = { service: key, role: roleKey }
    await record(tx, by, action, { target: targetOf(service.id), details })
    await bumpUsers(tx, service.id)
  })
}
