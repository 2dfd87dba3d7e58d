import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../../db/client.ts'
import type { Db } from '../../../db/engine.ts'
import { isDatabaseUnavailable, unavailableHint } from '../../../db/errors.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { permissions, rolePermissions, roles } from '../../../db/schema/roles.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { job } from '../actor.ts'
import { bump } from '../freshness/epochs.ts'
import { objectKeys, systemPermissionKeys, systemPermissions, systemRoles } from '../permissions.ts'
import type { SystemPermission, SystemRole } from '../permissions.ts'
import { raiseRoles } from './roles.ts'

const roleKeys = objectKeys(systemRoles)

/**
 * Stores the system roles and permissions of this release, and grants new permissions only: a
 * permission that an operator revoked from a role stays revoked. A custom permission whose key the
 * release uses becomes a system permission, because the portal now requires it. A custom role whose
 * key the release uses is not changed, because its members would get permissions that no one
 * granted them. To get the system role, delete the custom one and migrate again.
 */
export async function syncRegistry(db: Db) {
  const system = true
  await transaction(db, async (tx) => {
    const takenOver = await takeOverPermissions(tx)
    const added = await tx
      .insert(permissions)
      .values(
        Object.entries(systemPermissions).map(([key, description]) => ({
          key,
          description,
          system
        }))
      )
      .onConflictDoNothing()
      .returning({ key: permissions.key })
    const newRoles = await tx
      .insert(roles)
      .values(
        roleKeys.map((key) => {
          const { name, description } = systemRoles[key]
          return { id: uuid(), key, name, description, system }
        })
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
    const granted = await tx
      .insert(rolePermissions)
      .values(grants)
      .onConflictDoNothing()
      .returning({ id: rolePermissions.roleId })
    await raiseRoles(tx, [...new Set(granted.map(({ id }) => id))])
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
    await record(tx, job, 'permission.update', {
      target: { type: 'permission', id: key },
      details: { key, fields: ['system', 'description'] }
    })
  }
  return custom
}

/** True when the schema, the system permissions and the system roles are up to date. */
export async function isUpToDate(database: Database) {
  if ((await database.missingMigrations()).length > 0) return false
  const knownPermissions = await database.db.$count(
    permissions,
    and(eq(permissions.system, true), inArray(permissions.key, systemPermissionKeys))
  )
  const knownRoles = await database.db.$count(roles, inArray(roles.key, roleKeys))
  return knownPermissions === systemPermissionKeys.length && knownRoles === roleKeys.length
}

/** The system roles, and which of their permissions each lacks. */
export async function findSystemRoles(db: Db) {
  const found = await db
    .select({
      key: roles.key,
      system: roles.system,
      permissions: sql<string[]>`to_json(array(
        select permission_key from role_permissions where role_id = ${roles.id}))`
    })
    .from(roles)
    .where(inArray(roles.key, roleKeys))
    .orderBy(asc(roles.key))
  return found.map(({ key, system, permissions }) => ({
    key,
    system,
    lacking: systemRoles[key as SystemRole].permissions.filter(
      (permission) => !permissions.includes(permission)
    )
  }))
}

/** Milliseconds between two attempts, doubled each time. */
const pause = { first: 250, most: 2000 }

/**
 * Brings schema, permissions and roles up to date, also when the database is unavailable at first.
 * @param warn called when it has to wait, and with the reason while there is one
 */
export function createMigration(
  database: Database,
  warn: (message: string, reason?: string) => void
) {
  let reported: string | undefined

  /** True when it is done, false when the database is unavailable. */
  const attempt = async () => {
    try {
      if (!(await isUpToDate(database))) {
        await database.migrate(syncRegistry, (awaited) => {
          warn(`the migration waits for ${awaited}`)
        })
      }
      return true
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      const reason = unavailableHint(error)
      if (reason !== reported) {
        warn('the database is unavailable: the migration waits for it', reason)
      }
      reported = reason
      return false
    }
  }
  return {
    attempt,
    /** Tries again until it is done or the signal aborts. */
    async keepTrying(signal: AbortSignal) {
      for (let ms = pause.first; !signal.aborted; ms = Math.min(ms * 2, pause.most)) {
        await sleep(ms, undefined, { signal }).catch(() => {}) // ends early when the signal aborts
        if (!signal.aborted && (await attempt())) return
      }
    }
  }
}
