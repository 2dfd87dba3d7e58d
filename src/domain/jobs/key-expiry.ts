import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { apiKeys, services } from '../../../db/schema/services.ts'
import { users } from '../../../db/schema/users.ts'
import { ofDays } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { expirySoon } from '../keys/keys.ts'
import { notify } from '../outbox/enqueue.ts'
import type { MailService } from '../outbox/enqueue.ts'
import { recipient } from '../users/users.ts'

/** Keys for which one transaction writes mail. */
const batchSize = 100
/** Administrators who get mail about the key of a service. */
const mostAdmins = 20

/**
 * Writes mail about keys that expire within fourteen days, once for each key: to its user, or to
 * administrators if it is the key of a service. Not about keys that were created for less. Several
 * instances may run it at the same time. Returns the number of keys.
 */
export async function noticeExpiringKeys(
  db: Db,
  mail: MailService,
  signal: AbortSignal
): Promise<number> {
  let total = 0
  for (let count = batchSize; count === batchSize && !signal.aborted; total += count) {
    count = await transaction(db, async (tx) => {
      const keys = await claim(tx)
      const admins = keys.some(({ serviceId }) => serviceId) ? await findAdmins(tx) : []
      for (const key of keys) await write(tx, mail, key, admins)
      return keys.length
    })
  }
  return total
}

async function claim(tx: Db) {
  const due = tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        isNull(apiKeys.expiryNoticeAt),
        isNull(apiKeys.revokedAt),
        gt(apiKeys.expiresAt, sql`now()`),
        lte(apiKeys.expiresAt, sql`now() + ${ofDays(expirySoon)}`),
        sql`${apiKeys.expiresAt} > ${apiKeys.createdAt} + ${ofDays(expirySoon)}`
      )
    )
    .orderBy(asc(apiKeys.expiresAt), asc(apiKeys.id))
    .limit(batchSize)
    .for('no key update', { skipLocked: true })
  return tx
    .update(apiKeys)
    .set({ expiryNoticeAt: sql`now()` })
    .where(inArray(apiKeys.id, due))
    .returning({
      userId: apiKeys.userId,
      serviceId: apiKeys.serviceId,
      name: apiKeys.name,
      lastFour: apiKeys.lastFour,
      expiresAt: apiKeys.expiresAt
    })
}

type Key = Awaited<ReturnType<typeof claim>>[number]
type Admins = Awaited<ReturnType<typeof findAdmins>>

async function write(tx: Db, mail: MailService, key: Key, admins: Admins) {
  const { name, lastFour } = key
  const content = { kind: 'key-expiring', name, lastFour } as const
  const expiresAt = key.expiresAt.toISOString()
  if (key.userId !== null) {
    const [user] = await tx
      .select(recipient)
      .from(users)
      .where(and(eq(users.id, key.userId), eq(users.status, 'active')))
    if (user) await notify(tx, mail, user, { ...content, expiresAt })
    return
  }
  const [service] = await tx
    .select({ key: services.key })
    .from(services)
    .where(and(eq(services.id, key.serviceId ?? ''), eq(services.status, 'active')))
  if (!service) return
  for (const admin of admins) {
    await notify(tx, mail, admin, { ...content, service: service.key, expiresAt })
  }
}

const findAdmins = (tx: Db) =>
  tx
    .select(recipient)
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(
      and(eq(roles.key, 'admin'), eq(users.status, 'active'), isNotNull(users.emailVerifiedAt))
    )
    .orderBy(asc(users.id))
    .limit(mostAdmins)
