import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { momentColumns, userEpochs } from '../../../db/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { themes, users } from '../../../db/schema/users.ts'
import { setBounded } from '../lru.ts'
import { createFreshCache } from '../freshness/fresh-cache.ts'
import type { Snapshots, Tagged } from '../freshness/fresh-cache.ts'
import { userTags } from '../freshness/user-epochs.ts'
import type { createUserEpochs, UserTags } from '../freshness/user-epochs.ts'
import type { RightsKept } from '../keys/rights.ts'
import { currentUserIn } from '../users/users.ts'
import type { CurrentUser } from '../users/users.ts'
import { ownSession } from './sessions.ts'
import type { OwnSession, SessionToken } from './sessions.ts'

export const capacity = 50_000
/** Sessions per statement, few enough to stay well within the deadline of a session check. */
export const batchSize = 200

/**
 * Finds the principal of a verified token: undefined when the session is revoked, expired or
 * unknown, or its user cannot sign in.
 */
export function createPrincipalCache(
  db: Db,
  snapshots: Snapshots,
  isCurrent: ReturnType<typeof createUserEpochs>,
  idleSeconds: number,
  onLoad = (_count: number) => {}
) {
  const idle = idleSeconds * 1000
  const lasts = ({ expiresAt, lastSeen }: Principal, now: number) =>
    now < expiresAt && now < lastSeen + idle
  const moment = db.$with('moment').as(db.select(momentColumns).from(sql`(select 1) as one`))
  // Left joins, so that there is a row even if no session is found.
  const statement = db
    .with(moment)
    .select({
      now: moment.now,
      inRecovery: moment.inRecovery, // the connection rejects true
      epochs: userEpochs(sql`${sessions.userId}`),
      tokenHash: sql<string | null>`encode(${sessions.tokenHash}, 'hex')`,
      user: currentUserIn(sql`${sessions.assurance}`),
      session: ownSession,
      lastSeenAt: sessions.lastSeenAt
    })
    .from(moment)
    .leftJoin(
      sessions,
      and(
        sql`${sessions.tokenHash} = any(array(
          select decode(hash, 'hex')
          from unnest(string_to_array(${sql.placeholder('hashes')}::text, ',')) as hash))`,
        isNull(sessions.revokedAt)
      )
    )
    .leftJoin(users, and(eq(users.id, sessions.userId), eq(users.status, 'active')))
    .prepare('principals')

  const shared = createShared()

  const load = async (tokens: SessionToken[]) => {
    onLoad(tokens.length)
    const found = new Map<SessionToken, Tagged<Principal, UserTags>>()
    let now: number | undefined
    for (let start = 0; start < tokens.length; start += batchSize) {
      const batch = tokens.slice(start, start + batchSize)
      const rows = await statement.execute({
        hashes: batch.map(({ tokenHash }) => tokenHash).join()
      })
      now ??= Number(rows[0]?.now) // of the first statement, which began after all requests
      const byHash = new Map(rows.map((row) => [row.tokenHash, row]))
      for (const token of batch) {
        const row = byHash.get(token.tokenHash)
        if (!row?.user || !row.session || !row.lastSeenAt || row.session.userId !== token.userId) {
          continue
        }
        const tags = userTags(token.userId, row.epochs)
        const lastSeen = row.lastSeenAt.getTime()
        const value = principalOf(tags, row.user, row.session, lastSeen, shared)
        found.set(token, { value, tags })
      }
    }
    if (now === undefined) throw new Error('no sessions were requested')
    return { found, now }
  }

  const keep = createFreshCache<SessionToken, Principal, UserTags>(snapshots, {
    capacity,
    load,
    isCurrent,
    lasts,
    // Another instance, or this one, may have seen the session later.
    renew: (fresh, old) => {
      if (fresh.session.id === old.session.id) {
        fresh.lastSeen = Math.max(fresh.lastSeen, old.lastSeen)
      }
    }
  })
  return (
    token: SessionToken,
    done: (error: unknown, principal?: Principal, now?: number) => void
  ) =>
    keep(token, (error, principal, now = 0) => {
      done(error, principal && lasts(principal, now) ? principal : undefined, now)
    })
}

export type Principal = ReturnType<typeof principalOf>

/** A principal to cache, in the form of the response. Times that are compared are milliseconds. */
const principalOf = (
  tags: UserTags,
  user: CurrentUser,
  session: OwnSession,
  lastSeen: number,
  shared: ReturnType<typeof createShared>
) => ({
  user: {
    id: session.userId,
    email: user.email,
    emailVerified: user.emailVerified,
    name: user.name,
    // Shares the existing string instead of a copy.
    theme: themes[themes.indexOf(user.theme)] ?? user.theme,
    status: 'active' as const,
    roles: shared(user.roles),
    suspendedRoles: shared(user.suspendedRoles),
    permissions: shared(user.permissions),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString()
  },
  session: {
    id: session.id,
    userId: session.userId,
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    authenticatedAt: session.authenticatedAt.toISOString(),
    assurance: session.assurance,
    amr: shared(session.amr.split(' '))
  },
  expiresAt: session.expiresAt.getTime(),
  /** The last use on this instance, which may not be stored yet. */
  lastSeen,
  /** The last known value of the row. */
  lastSeenWritten: lastSeen,
  /** For checks that name a scope. */
  kept: { tags, scopes: undefined } as RightsKept
})

/** Shares lists of roles and permissions, of which many users have the same ones. */
function createShared() {
  const known = new Map<string, string[]>()
  return (list: string[]) => {
    const text = list.join()
    const same = known.get(text)
    if (same) return same
    setBounded(known, text, list, 1000)
    return list
  }
}
