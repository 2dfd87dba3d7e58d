import { and, countDistinct, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client.ts'
import type { Db } from '../../../db/engine.ts'
import { countOrEstimate, readServerInfo } from '../../../db/server-info.ts'
import { activity } from '../../../db/schema/activity.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { isForeignHash, users } from '../../../db/schema/users.ts'
import { countDead, readBacklog } from '../outbox/list.ts'
import { isLive } from '../sessions/sessions.ts'
import type { SessionRules } from '../sessions/sessions.ts'

/** Accounts on which more attempts were made in the last 24 hours than the rate limits allow. */
async function countLimitedAccounts(db: Db): Promise<number> {
  const [found] = await db
    .select({ count: countDistinct(activity.targetId) })
    .from(activity)
    .where(
      and(
        eq(activity.action, 'throttle.limited'),
        eq(activity.targetType, 'user'),
        gt(activity.at, sql`now() - interval '24 hours'`)
      )
    )
  return found?.count ?? 0
}

/** The database, how many users and live sessions there are, what is in the outbox, and limits. */
export async function readOverview(
  { db, embedded, label }: Pick<Database, 'db' | 'embedded' | 'label'>,
  { idleSeconds }: SessionRules
) {
  const [{ version }, userCount, foreignHashes, liveSessions, backlog, dead, limitedAccounts] =
    await Promise.all([
      readServerInfo(db),
      countOrEstimate(db, users),
      countOrEstimate(db, users, isForeignHash(users.passwordHash)),
      countOrEstimate(db, sessions, isLive(idleSeconds)),
      readBacklog(db),
      countDead(db),
      countLimitedAccounts(db)
    ])
  return {
    database: { engine: embedded ? ('pglite' as const) : ('postgresql' as const), version, label },
    users: userCount,
    foreignHashes,
    liveSessions,
    outbox: { ...backlog, dead },
    limitedAccounts
  }
}
