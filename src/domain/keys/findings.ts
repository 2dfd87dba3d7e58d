import { and, asc, count, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofDays } from '../../../db/intervals.ts'
import { apiKeys } from '../../../db/schema/api-keys.ts'
import { roles } from '../../../db/schema/roles.ts'
import { serviceRoles, services } from '../../../db/schema/services.ts'
import { expirySoon, isActive } from './keys.ts'

/** Days after which a key that was not used is worth a look. */
export const unusedDays = 90

/** What an operator should know about keys: how many, and which services may do everything. */
export async function examineKeys(db: Db) {
  const countKeys = async (condition: Parameters<typeof and>[0]) => {
    const [row] = await db.select({ count: count() }).from(apiKeys).where(and(isActive, condition))
    return row?.count ?? 0
  }
  const lastUse = sql`coalesce(${apiKeys.lastUsedAt}, ${apiKeys.createdAt})`
  const admins = await db
    .select({ key: services.key })
    .from(services)
    .innerJoin(serviceRoles, eq(serviceRoles.serviceId, services.id))
    .innerJoin(roles, eq(roles.id, serviceRoles.roleId))
    .where(eq(roles.key, 'admin'))
    .orderBy(asc(services.key))
  return {
    active: await countKeys(undefined),
    expiring: await countKeys(
      and(
        gt(apiKeys.expiresAt, sql`now()`),
        lte(apiKeys.expiresAt, sql`now() + ${ofDays(expirySoon)}`)
      )
    ),
    unused: await countKeys(sql`${lastUse} < now() - ${ofDays(unusedDays)}`),
    admins: admins.map(({ key }) => key)
  }
}
