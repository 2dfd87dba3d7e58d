import { and, count, eq, inArray } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Database, Db } from '../../db/client.ts'
import { permissions } from '../../db/schema/permissions.ts'
import { rolePermissions, roles } from '../../db/schema/roles.ts'
import { rolesScope } from '../../db/schema/epochs.ts'
import { transaction } from '../../db/transaction.ts'
import { bump } from './epochs.ts'
import { systemPermissionKeys, systemPermissions, systemRoles } from './permissions.ts'
import type { SystemRole } from './permissions.ts'

const roleKeys = Object.keys(systemRoles) as SystemRole[]

/**
 * Brings the system roles and permissions of this release into the database. Grants only what it adds:
 * a permission that an operator took from a role stays away.
 */
export async function syncRegistry (db: Db) {
  await transaction(db, async (tx) => {
    const added = await tx.insert(permissions)
      .values(systemPermissionKeys.map((key) => ({ key, description: systemPermissions[key], system: true })))
      .onConflictDoNothing().returning({ key: permissions.key })
    await tx.insert(roles)
      .values(roleKeys.map((key) => ({ id: uuid(), key, name: systemRoles[key].name, description: systemRoles[key].description, system: true })))
      .onConflictDoNothing()
    if (added.length === 0) return

    const known = await tx.select({ id: roles.id, key: roles.key }).from(roles).where(inArray(roles.key, roleKeys))
    const grants = known.flatMap(({ id, key }) => {
      const granted: readonly string[] = systemRoles[key as SystemRole].permissions
      return added.filter((permission) => granted.includes(permission.key)).map((permission) => ({ roleId: id, permissionKey: permission.key }))
    })
    await tx.insert(rolePermissions).values(grants).onConflictDoNothing()
    await bump(tx, rolesScope)
  })
}

/** True when the schema and the system permissions are at least those of this release. */
export async function isUpToDate (database: Database) {
  if (!await database.isMigrated()) return false
  const [row] = await database.db.select({ known: count() }).from(permissions)
    .where(and(eq(permissions.system, true), inArray(permissions.key, systemPermissionKeys)))
  return row?.known === systemPermissionKeys.length
}
