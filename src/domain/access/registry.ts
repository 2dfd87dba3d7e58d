import { and, asc, eq, inArray } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../../db/client.ts'
import type { Db } from '../../../db/engine.ts'
import { permissions } from '../../../db/schema/permissions.ts'
import { rolePermissions, roles } from '../../../db/schema/roles.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { bump } from '../freshness/epochs.ts'
import { systemPermissionKeys, systemPermissions, systemRoles } from '../permissions.ts'
import type { SystemPermission, SystemRole } from '../permissions.ts'

const roleKeys = Object.keys(systemRoles) as SystemRole[]

const system: Actor = { type: 'system', source: 'job' }

/**
 * Brings the system roles and permissions of this release into the database, and grants what is
 * new: a permission that an operator took from a role stays away. A custom permission whose key the
 * release uses becomes a system permission, since the portal now asks for it. A custom role whose
 * key the release uses stays as it is: to take it over would give its members permissions that
 * nobody granted them. It becomes the release's when it is deleted and the database migrated again.
 */
export async function syncRegistry(db: Db) {
  await transaction(db, async (tx) => {
    const takenOver = await takeOverPermissions(tx)
    const added = await tx
      .insert(permissions)
      .values(
        systemPermissionKeys.map((key) => ({
          key,
          description: systemPermissions[key],
          system: true
        }))
      )
      .onConflictDoNothing()
      .returning({ key: permissions.key })
    const newRoles = await tx
      .insert(roles)
      .values(
        roleKeys.map((key) => ({
          id: uuid(),
          key,
          name: systemRoles[key].name,
          description: systemRoles[key].description,
          system: true
        }))
      )
      .onConflictDoNothing()
      .returning({ key: roles.key })

    const fresh = new Set([...added, ...takenOver].map(({ key }) => key))
    const known = await tx
      .select({ id: roles.id, key: roles.key })
      .from(roles)
      .where(and(inArray(roles.key, roleKeys), eq(roles.system, true)))
    const grants = known.flatMap(({ id, key }) =>
      systemRoles[key as SystemRole].permissions
        .filter((permission) => fresh.has(permission) || newRoles.some((role) => role.key === key))
        .map((permissionKey) => ({ roleId: id, permissionKey }))
    )
    if (grants.length === 0) return
    await tx.insert(rolePermissions).values(grants).onConflictDoNothing()
    await bump(tx, rolesScope)
  })
}

/** Returns the keys of custom permissions that have become system permissions. */
async function takeOverPermissions(tx: Db) {
  const custom = await tx
    .select({ key: permissions.key })
    .from(permissions)
    .where(and(eq(permissions.system, false), inArray(permissions.key, systemPermissionKeys)))
    .orderBy(asc(permissions.key))
    .for('no key update')
  for (const { key } of custom) {
    const description = systemPermissions[key as SystemPermission]
    await tx.update(permissions).set({ system: true, description }).where(eq(permissions.key, key))
    await record(tx, system, 'permission.update', {
      target: { type: 'permission', id: key },
      details: { key, fields: ['system', 'description'] }
    })
  }
  return custom
}

/** True when the schema, the system permissions and the keys of the system roles are there. */
export async function isUpToDate(database: Database) {
  if (!(await database.isMigrated())) return false
  const knownPermissions = await database.db.$count(
    permissions,
    and(eq(permissions.system, true), inArray(permissions.key, systemPermissionKeys))
  )
  const knownRoles = await database.db.$count(roles, inArray(roles.key, roleKeys))
  return knownPermissions === systemPermissionKeys.length && knownRoles === roleKeys.length
}
