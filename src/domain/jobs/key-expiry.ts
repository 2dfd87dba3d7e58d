import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { apiKeys, services } from '../../../db/schema/services.ts'
import { users } from '../../../db/schema/users.ts'
import { ofDays } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { expirySoon } from '../../common/days.ts'
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
  const { name, lastFour, userId, serviceId } = key
  const content = { name, lastFour, expiresAt: key.expiresAt.toISOString() }
  if (userId !== null) {
    const isActive = and(eq(users.id, userId), eq(users.status, 'active'))
    const [user] = await tx.select(recipient).from(users).where(isActive)
    if (user) await notify(tx, mail, user, { kind: 'key-expiring', ...content })
    return
  }
  const isActive = and(eq(services.id, serviceId ?? ''), eq(services.status, 'active'))
  const [service] = await tx.select({ service: services.key }).from(services).where(isActive)
  for (const admin of service ? admins : []) {
    await notify(tx, mail, admin, { kind: 'key-expiring', ...service, ...content })
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
