import { and, asc, desc, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles } from '../../../db/schema/roles.ts'
import { apiKeys, serviceRoles, services } from '../../../db/schema/services.ts'
import type { apiKeySorts, apiKeyStates } from '../../../db/schema/services.ts'
import { users } from '../../../db/schema/users.ts'
import { ofDays } from '../../../db/time.ts'
import { expirySoon } from '../../common/days.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import type { KeyOwner } from './key-cache.ts'

/** Neither revoked nor expired. */
const isActive = and(isNull(apiKeys.revokedAt), gt(apiKeys.expiresAt, sql`now()`))

const state = sql<(typeof apiKeyStates)[number]>`case
  when ${apiKeys.revokedAt} is not null then 'revoked'
  when ${apiKeys.expiresAt} <= now() then 'expired'
  else 'active' end`

/** A key as it is shown, without its hash. */
export const shownKey = {
  id: apiKeys.id,
  name: apiKeys.name,
  lastFour: apiKeys.lastFour,
  state,
  permissions: apiKeys.permissions,
  networks: apiKeys.networks,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  lastUsedAt: apiKeys.lastUsedAt
}

/** In raw SQL: the list selects from one table, and Drizzle would omit its name. */
const owner = sql<{ type: KeyOwner['type']; id: string; label: string }>`(case
  when api_keys.user_id is not null then json_build_object(
    'type', 'user', 'id', api_keys.user_id,
    'label', (select email from users where users.id = api_keys.user_id))
  else json_build_object(
    'type', 'service', 'id', api_keys.service_id,
    'label', (select key from services where services.id = api_keys.service_id))
  end)`

const orders = { createdAt: [apiKeys.createdAt, apiKeys.id] }
const ownList = { table: apiKeys, columns: shownKey, orders }
const list = { table: apiKeys, columns: { ...shownKey, owner }, orders }

type KeyWindow = Window<(typeof apiKeySorts)[number]>

export const isOwnedBy = ({ type, id }: Pick<KeyOwner, 'type' | 'id'>) =>
  eq(type === 'user' ? apiKeys.userId : apiKeys.serviceId, id)

/** The keys of one owner, in every state. */
export const listKeysOf = (db: Db, owner: Pick<KeyOwner, 'type' | 'id'>, window: KeyWindow) =>
  page(db, ownList, window, isOwnedBy(owner))

interface KeyFilters {
  /** A user or a service, or the id of either. */
  owner?: string | Pick<KeyOwner, 'type' | 'id'> | undefined
  /** Only active keys that expire within this many days. */
  expiring?: number | undefined
}

export function listKeys(db: Db, { owner, expiring, ...window }: KeyFilters & KeyWindow) {
  const isWanted =
    typeof owner === 'string'
      ? or(
          and(isNotNull(apiKeys.userId), eq(apiKeys.userId, owner)),
          and(isNotNull(apiKeys.serviceId), eq(apiKeys.serviceId, owner))
        )
      : owner && isOwnedBy(owner)
  const isExpiring = expiring === undefined ? undefined : expiresWithin(expiring)
  return page(db, list, window, and(isWanted, isExpiring))
}
const expiresWithin = (days: number) =>
  and(isActive, lte(apiKeys.expiresAt, sql`now() + ${ofDays(days)}`))

/** The active keys of a user as a mail names them, the newest first. */
export const namesOfKeys = (tx: Db, userId: string) =>
  tx
    .select({ name: apiKeys.name, lastFour: apiKeys.lastFour })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isActive))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))

/** The number of keys of an owner that are neither revoked nor expired. */
export const countKeys = (tx: Db, owner: Pick<KeyOwner, 'type' | 'id'>): Promise<number> =>
  tx.$count(apiKeys, and(isOwnedBy(owner), isActive))

/** Revokes matching keys that are active. The caller records it and bumps the owner. */
export const revokeKeys = (tx: Db, which: SQL | undefined) =>
  tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(which, isActive))
    .returning({ id: apiKeys.id })

/**
 * Takes the second factor from all keys of a user: roles that require one no longer count for them.
 * Returns the number of active keys that had it. The caller bumps the user.
 */
export async function lowerKeys(tx: Db, userId: string): Promise<number> {
  const lowered = await tx
    .update(apiKeys)
    .set({ assurance: 1 })
    .where(and(eq(apiKeys.userId, userId), eq(apiKeys.assurance, 2), isActive))
    .returning({ id: apiKeys.id })
  return lowered.length
}

/** The owner of a key; undefined for an unknown one. */
export async function findKeyOwner(db: Db, id: string) {
  const [found] = await db
    .select({ userId: apiKeys.userId, serviceId: apiKeys.serviceId, service: services.key })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(services, eq(services.id, apiKeys.serviceId))
    .where(eq(apiKeys.id, id))
  if (!found) return undefined
  return found.userId !== null
    ? { type: 'user' as const, id: found.userId }
    : { type: 'service' as const, id: found.serviceId ?? '', key: found.service ?? '' }
}

/** Days after which a key that was not used is worth a look. */
export const unusedDays = 90

/** The number of keys, and the services that may do everything: operators should know them. */
export async function examineKeys(db: Db) {
  const countActive = (condition?: SQL) => db.$count(apiKeys, and(isActive, condition))
  const lastUse = sql`coalesce(${apiKeys.lastUsedAt}, ${apiKeys.createdAt})`
  const admins = await db
    .select({ key: services.key })
    .from(services)
    .innerJoin(serviceRoles, eq(serviceRoles.serviceId, services.id))
    .innerJoin(roles, eq(roles.id, serviceRoles.roleId))
    .where(eq(roles.key, 'admin'))
    .orderBy(asc(services.key))
  return {
    active: await countActive(),
    expiring: await countActive(expiresWithin(expirySoon)),
    unused: await countActive(sql`${lastUse} < now() - ${ofDays(unusedDays)}`),
    admins: admins.map(({ key }) => key)
  }
}
