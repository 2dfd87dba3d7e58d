import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, inArray, isNotNull, isNull, notInArray, or, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Database } from '../../../db/client.ts'
import type { Db } from '../../../db/engine.ts'
import { isDatabaseUnavailable, unavailableHint } from '../../../db/errors.ts'
import { rolesScope } from '../../../db/schema/epochs.ts'
import { permissions, rolePermissions, roles } from '../../../db/schema/roles.ts'
import { webhookEndpoints } from '../../../db/schema/webhooks.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { job } from '../actor.ts'
import { bump } from '../freshness/epochs.ts'
import { objectKeys, systemPermissionKeys, systemPermissions, systemRoles } from '../permissions.ts'
import type { SystemRole } from '../permissions.ts'
import type { OwnWords } from '../vocabulary.ts'
import { dropPermission, raiseRoles } from './roles.ts'

const roleKeys = objectKeys(systemRoles)

/**
 * The permissions that this release and the app require. Those of the portal have no origin. That
 * of `claimed` ones is an operator, to whom the app leaves them in the end.
 */
const declared = ({ permissions: own = {} }: OwnWords) => [
  ...Object.entries(systemPermissions).map(([key, description]) => {
    return { key, description, origin: null }
  }),
  ...Object.entries(own).map(([key, description]) => ({ key, description, origin: 'app' as const }))
]

const permissionsOf = (key: SystemRole, { permissions: own = {}, grants }: OwnWords) => [
  ...systemRoles[key].permissions,
  ...(key === 'admin' ? Object.keys(own) : (grants?.user ?? []))
]

/**
 * Stores the system roles and permissions of this release and of the app, and grants new
 * permissions only: a permission that an operator revoked from a role stays revoked. A custom
 * permission whose key they use becomes a system permission, because it is now required. A custom
 * role whose key the release uses is not changed, because its members would get permissions that no
 * one granted them. To get the system role, delete the custom one and migrate again.
 */
export async function syncRegistry(db: Db, own?: OwnWords) {
  const wanted = declared(own ?? {})
  const system = true
  await transaction(db, async (tx) => {
    const takenOver = await takeOverPermissions(tx, wanted)
    const added = await tx
      .insert(permissions)
      .values(wanted.map((permission) => ({ ...permission, system })))
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
      permissionsOf(key as SystemRole, own ?? {})
        .filter((permission) => fresh.has(permission) || newRoles.some((role) => role.key === key))
        .map((permissionKey) => ({ roleId: id, permissionKey }))
    )
    const granted =
      grants.length === 0
        ? []
        : await tx
            .insert(rolePermissions)
            .values(grants)
            .onConflictDoNothing()
            .returning({ id: rolePermissions.roleId })
    if (own) await syncFunctions(tx, own)
    const left = own ? await releasePermissions(tx, Object.keys(own.permissions ?? {})) : []
    if (grants.length === 0 && left.length === 0) return
    await raiseRoles(tx, [...new Set([...granted, ...left].map(({ id }) => id))])
    await bump(tx, rolesScope)
  })
}

const heardBy = ({ on = {} }: OwnWords) => Object.keys(on).sort()

const findHeard = async (db: Db) => {
  const [found] = await db
    .select({ events: webhookEndpoints.events })
    .from(webhookEndpoints)
    .where(isNull(webhookEndpoints.url))
  return found?.events ?? []
}

/** Keeps the endpoint of the functions of the app. Without a function there is none. */
async function syncFunctions(tx: Db, own: OwnWords) {
  const events = heardBy(own)
  const isOfApp = isNull(webhookEndpoints.url)
  if (events.length === 0) return tx.delete(webhookEndpoints).where(isOfApp)
  const kept = await tx
    .update(webhookEndpoints)
    .set({ events, state: 'active' })
    .where(isOfApp)
    .returning({ id: webhookEndpoints.id })
  if (kept.length === 0) await tx.insert(webhookEndpoints).values({ id: uuid(), events })
}

/**
 * Returns the keys of custom permissions that have become system permissions. Those that the app
 * had left out before are not among them: their roles stay as operators have left them.
 */
async function takeOverPermissions(tx: Db, wanted: ReturnType<typeof declared>) {
  const keys = wanted.map(({ key }) => key)
  const custom = await tx
    .select({ key: permissions.key, origin: permissions.origin })
    .from(permissions)
    .where(and(eq(permissions.system, false), inArray(permissions.key, keys)))
    .orderBy(asc(permissions.key))
    .for('no key update')
  for (const { key, origin } of custom) {
    const permission = wanted.find((each) => each.key === key)
    const ownOrigin = permission?.origin && (origin ?? 'claimed')
    await tx
      .update(permissions)
      .set({ ...permission, origin: ownOrigin ?? null, system: true })
      .where(eq(permissions.key, key))
    await recordUpdate(tx, key, ['system', 'description'])
  }
  return custom.filter(({ origin }) => origin === null)
}

/**
 * Makes permissions that the app no longer declares those of operators. Deletes those that the last
 * such change has left without a role besides `admin`, unless an operator had created them. Returns
 * the roles of deleted ones. An older instance that runs still finds its permissions.
 */
async function releasePermissions(tx: Db, keys: string[]) {
  const needed = [...keys, ...systemPermissionKeys]
  const left = await tx
    .select()
    .from(permissions)
    .where(and(isNotNull(permissions.origin), notInArray(permissions.key, needed)))
    .orderBy(asc(permissions.key))
    .for('update')
  const raised: { id: string }[] = []
  for (const { key, system, origin } of left) {
    if (system) {
      await tx.update(permissions).set({ system: false }).where(eq(permissions.key, key))
      await recordUpdate(tx, key, ['system'])
      continue
    }
    if (origin === 'claimed') continue
    const holders = await tx
      .select({ id: roles.id, key: roles.key })
      .from(rolePermissions)
      .innerJoin(roles, eq(roles.id, rolePermissions.roleId))
      .where(eq(rolePermissions.permissionKey, key))
    if (holders.some((role) => role.key !== 'admin')) continue
    raised.push(...holders)
    await dropPermission(tx, job, { key, roles: holders.length })
  }
  return raised
}

const recordUpdate = (tx: Db, key: string, fields: string[]) =>
  record(tx, job, 'permission.update', {
    target: { type: 'permission', id: key },
    details: { key, fields }
  })

/**
 * True when the schema, the system roles and permissions, and those of the app are there. The
 * database may have more, of another version of the portal or the app that runs beside this one.
 */
export async function isUpToDate(database: Database, own?: OwnWords) {
  if ((await database.missingMigrations()).length > 0) return false
  const keys = Object.keys(own?.permissions ?? {})
  const knownPermissions = await database.db.$count(
    permissions,
    or(
      and(eq(permissions.system, true), inArray(permissions.key, systemPermissionKeys)),
      and(isNotNull(permissions.origin), inArray(permissions.key, keys))
    )
  )
  const knownRoles = await database.db.$count(roles, inArray(roles.key, roleKeys))
  const heard = own?.on ? await findHeard(database.db) : []
  return (
    knownPermissions === systemPermissionKeys.length + keys.length &&
    knownRoles === roleKeys.length &&
    heardBy(own ?? {}).every((action) => heard.includes(action))
  )
}

/** The system roles, and which of their permissions each lacks. */
export async function findSystemRoles(db: Db, own: OwnWords = {}) {
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
    lacking: permissionsOf(key as SystemRole, own).filter(
      (permission) => !permissions.includes(permission)
    )
  }))
}

/** Milliseconds between two attempts, doubled each time. */
const pause = { first: 250, most: 2000 }

/**
 * Brings schema, permissions and roles up to date, also when the database is unavailable at first.
 * @param warn called when it has to wait, and with the reason while there is one
 * @param own what the app declares, if there is one
 */
export function createMigration(
  database: Database,
  warn: (message: string, reason?: string) => void,
  own?: OwnWords
) {
  let reported: string | undefined

  /** True when it is done, false when the database is unavailable. */
  const attempt = async () => {
    try {
      if (!(await isUpToDate(database, own))) {
        await database.migrate(
          (db) => syncRegistry(db, own),
          (awaited) => {
            warn(`the migration waits for ${awaited}`)
          }
        )
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
