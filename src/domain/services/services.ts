import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { uuidForm } from '../../../db/schema/columns.ts'
import { serviceRoles, services } from '../../../db/schema/services.ts'
import type { serviceSorts, serviceStatuses } from '../../../db/schema/services.ts'
import { authorized } from '../access/authorize.ts'
import { lockRole } from '../access/roles.ts'
import type { LockedRole } from '../access/roles.ts'
import { describeChanges, record } from '../activity/record.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { checkAll, DomainError, invalidFields, requireRevision } from '../errors.ts'
import type { Expected } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { countKeys } from '../keys/keys.ts'
import { serviceRights } from '../keys/rights.ts'
import { page } from '../keyset.ts'
import type { Search } from '../keyset.ts'
import { matchesWords } from '../search.ts'
import { objectKeys } from '../permissions.ts'
import type { SystemPermission } from '../permissions.ts'
import { cleanDescription, cleanName } from '../texts.ts'

const { roles, permissions, allPermissions } = serviceRights
const service = { ...getTableColumns(services), roles, permissions }

/** With the number of roles, because deleting a role does not change the versions of services. */
const revisionOf = ({ version, roles }: { version: number; roles: string[] }) =>
  `${version}.${roles.length}`

/** Throws `service-not-found`. */
export async function findService(db: Db, key: string) {
  const [found] = await db.select(service).from(services).where(eq(services.key, key))
  if (!found) throw new DomainError('service-not-found')
  return { ...found, revision: revisionOf(found) }
}

const orders = { key: [services.key], createdAt: [services.createdAt, services.id] }
const list = { table: services, columns: service, orders }

export const listServices = (db: Db, { q, ...window }: Search<(typeof serviceSorts)[number]>) =>
  page(db, list, window, matchesWords(q, services.key, services.name, services.description))

/** Locks a service until the transaction ends, and returns its current state. */
async function lockService(tx: Db, key: string) {
  const ofKey = eq(services.key, key)
  const locked = await tx
    .select({ id: services.id })
    .from(services)
    .where(ofKey)
    .for('no key update')
  if (locked.length === 0) return undefined
  // A second statement: see lockUser.
  const [found] = await tx
    .select({ ...service, allPermissions })
    .from(services)
    .where(ofKey)
  return found
}

export type LockedService = NonNullable<Awaited<ReturnType<typeof lockService>>>

/**
 * Like authorized, with a lock on a service. Throws `service-not-found`, and
 * `exceeds-own-permissions` when a role of the service has a permission that the actor lacks.
 */
export function authorizedOnService<T>(
  db: Db,
  actor: Actor,
  { key, permission }: { key: string; permission: SystemPermission },
  work: (tx: Db, by: AuthorizedActor, service: LockedService) => Promise<T>
) {
  const lock = (tx: Db) => lockService(tx, key)
  return authorized(db, actor, permission, lock, async (tx, by, found) => {
    if (!found) throw new DomainError('service-not-found')
    by.requireAll(found.allPermissions)
    return work(tx, by, found)
  })
}

const targetOf = (id: string) => ({ type: 'service', id }) as const

/** Call it without columns when the roles of the service change. */
const writeService = (tx: Db, id: string, columns: Columns = {}) =>
  tx
    .update(services)
    .set({ ...columns, version: sql`${services.version} + 1`, updatedAt: sql`now()` })
    .where(eq(services.id, id))

interface NewService {
  key: string
  name: string
  description?: string | undefined
}

/** Throws `service-exists`, and a refusal that names every invalid field. */
export async function createService(db: Db, actor: Actor, { key, ...texts }: NewService) {
  const [name, description] = await checkAll(
    () => cleanName(texts.name),
    () => cleanDescription(texts.description ?? ''),
    () => requireNoId(key)
  )
  const id = uuid()
  const insert = (tx: Db) =>
    tx
      .insert(services)
      .values({ id, key, name, description })
      .onConflictDoNothing()
      .returning({ id: services.id })
  return authorized(db, actor, 'services:create', insert, async (tx, by, made) => {
    if (made.length === 0) throw new DomainError('service-exists')
    await record(tx, by, 'service.create', { target: targetOf(id), details: { service: key } })
    return findService(tx, key)
  })
}

/** A server that reads `Portal-Service` and `Portal-User` alike would take it for a user. */
function requireNoId(key: string) {
  if (!uuidForm.test(key)) return
  throw invalidFields({
    pointer: '/key',
    code: 'malformed',
    message: 'Must not have the form of a UUID, which is that of ids of users'
  })
}

interface Columns {
  name?: string | undefined
  description?: string | undefined
  status?: (typeof serviceStatuses)[number] | undefined
}

/**
 * Throws `precondition-failed`, and `exceeds-own-permissions` when the status changes and a role of
 * the service has a permission that the actor lacks.
 */
export async function updateService(
  db: Db,
  actor: Actor,
  { key, changes, expected }: { key: string; changes: Columns; expected?: Expected }
) {
  const { status } = changes
  const [name, description] = await checkAll(
    () => (changes.name === undefined ? undefined : cleanName(changes.name)),
    () => (changes.description === undefined ? undefined : cleanDescription(changes.description))
  )
  const columns: Columns = { name, description, status }
  const lock = (tx: Db) => lockService(tx, key)
  return authorized(db, actor, 'services:update', lock, async (tx, by, found) => {
    if (!found) throw new DomainError('service-not-found')
    requireRevision(revisionOf(found), expected)
    const fields = objectKeys(columns).filter(
      (column) => columns[column] !== undefined && columns[column] !== found[column]
    )
    if (fields.includes('status')) by.requireAll(found.allPermissions)
    if (fields.length > 0) {
      await writeService(tx, found.id, columns)
      const details = { service: key, ...describeChanges(fields, found, columns) }
      await record(tx, by, 'service.update', { target: targetOf(found.id), details })
    }
    if (fields.includes('status')) await bumpUsers(tx, found.id)
    return findService(tx, key)
  })
}

/**
 * Deletes a service with its keys. Throws `precondition-failed`, and as `authorizedOnService` does.
 */
export async function deleteService(
  db: Db,
  actor: Actor,
  { key, expected }: { key: string; expected?: Expected }
) {
  const which = { key, permission: 'services:delete' } as const
  await authorizedOnService(db, actor, which, async (tx, by, found) => {
    requireRevision(revisionOf(found), expected)
    const count = await countKeys(tx, { type: 'service', id: found.id })
    await tx.delete(services).where(eq(services.id, found.id))
    const details = { service: key, count }
    await record(tx, by, 'service.delete', { target: targetOf(found.id), details })
    await bumpUsers(tx, found.id)
  })
}

/** Keys of a service and a role. */
interface Membership {
  service: string
  role: string
}

/**
 * Grants a role to a service, without effect when it has it. Throws `service-not-found`,
 * `role-not-found`, `role-scoped`, and `exceeds-own-permissions` when the role or the service has a
 * permission that the actor lacks.
 */
export const grantServiceRole = (db: Db, actor: Actor, membership: Membership) =>
  changeMembership(db, actor, membership, 'service.role-grant', async (tx, serviceId, role) => {
    if (role.scoped) throw new DomainError('role-scoped')
    const row = { serviceId, roleId: role.id }
    return tx.insert(serviceRoles).values(row).onConflictDoNothing().returning()
  })

/** Revokes a role from a service, without effect when it does not have it. Throws as above. */
export const revokeServiceRole = (db: Db, actor: Actor, membership: Membership) =>
  changeMembership(db, actor, membership, 'service.role-revoke', (tx, serviceId, role) =>
    tx
      .delete(serviceRoles)
      .where(and(eq(serviceRoles.serviceId, serviceId), eq(serviceRoles.roleId, role.id)))
      .returning()
  )

/** Locks the service and the role, as with a user. */
async function changeMembership(
  db: Db,
  actor: Actor,
  { service: key, role: roleKey }: Membership,
  action: 'service.role-grant' | 'service.role-revoke',
  write: (tx: Db, serviceId: string, role: LockedRole) => Promise<unknown[]>
) {
  const lock = async (tx: Db) => ({
    service: await lockService(tx, key),
    role: await lockRole(tx, roleKey, 'share')
  })
  await authorized(db, actor, 'services:update', lock, async (tx, by, { service, role }) => {
    if (!service) throw new DomainError('service-not-found')
    if (!role) throw new DomainError('role-not-found')
    by.requireAll([...service.allPermissions, ...role.permissions])
    if ((await write(tx, service.id, role)).length === 0) return
    await writeService(tx, service.id)
    const details = { service: key, role: roleKey }
    await record(tx, by, action, { target: targetOf(service.id), details })
    await bumpUsers(tx, service.id)
  })
}
