import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { epochColumns } from '../../../db/epochs.ts'
import { rolesScope, userScope, userShards } from '../../../db/schema/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { themes, users } from '../../../db/schema/users.ts'
import { setNewest } from '../bounded-map.ts'
import { keepFresh } from '../freshness/keep-fresh.ts'
import type { Snapshots } from '../freshness/keep-fresh.ts'
import { snapshotOf } from '../freshness/read-epochs.ts'
import type { SessionToken } from './sessions.ts'
import { currentUser } from '../users/users.ts'

/** What is kept of somebody who is signed in, as it is answered; the times that are judged in milliseconds. */
export interface Principal {
  user: {
    id: string
    email: string
    name: string
    theme: 'light' | 'dark' | 'system'
    status: 'active' | 'deactivated'
    roles: string[]
    permissions: string[]
    createdAt: string
    updatedAt: string
  }
  session: { id: string; userId: string; createdAt: string; expiresAt: string }
  expiresAt: number
  /** Seen here, and maybe not yet written. */
  lastSeen: number
  /** What the row says, as far as is known. */
  lastSeenWritten: number
}

const capacity = 50_000
/** By shard; tens of thousands point at these. */
const scopes = Array.from({ length: userShards }, (_, shard) => [shard, rolesScope])
/** Of one statement: small, so that each is well within the second that a session check has. */
const batchSize = 200

/** Who is behind a verified token now: undefined when the session is revoked, over or unknown, or its user may not sign in. */
export function createPrincipalCache(
  db: Db,
  snapshots: Snapshots,
  idleSeconds: number,
  onLoad = (_count: number) => {}
) {
  const idle = idleSeconds * 1000
  const lasts = ({ expiresAt, lastSeen }: Principal, now: number) =>
    now < expiresAt && now < lastSeen + idle
  const all = db.$with('all_epochs').as(db.select(epochColumns).from(sql`(select 1) as one`))
  // Left joins, so that the epochs come even where nobody is found.
  const statement = db
    .with(all)
    .select({
      values: all.values,
      now: all.now,
      inRecovery: all.inRecovery, // the connection rejects what is true
      tokenHash: sql<string | null>`encode(${sessions.tokenHash}, 'hex')`,
      user: currentUser,
      session: {
        id: sessions.id,
        userId: sessions.userId,
        createdAt: sessions.createdAt,
        expiresAt: sessions.expiresAt
      },
      lastSeenAt: sessions.lastSeenAt
    })
    .from(all)
    .leftJoin(
      sessions,
      and(
        sql`${sessions.tokenHash} = any(array(select decode(hash, 'hex') from unnest(string_to_array(${sql.placeholder('hashes')}::text, ',')) as hash))`,
        isNull(sessions.revokedAt)
      )
    )
    .leftJoin(users, and(eq(users.id, sessions.userId), eq(users.status, 'active')))
    .prepare('principals')

  const shared = createShared()

  const load = async (tokens: SessionToken[]) => {
    onLoad(tokens.length)
    const found = new Map<SessionToken, Principal>()
    let snapshot
    for (let start = 0; start < tokens.length; start += batchSize) {
      const batch = tokens.slice(start, start + batchSize)
      const rows = await statement.execute({
        hashes: batch.map(({ tokenHash }) => tokenHash).join()
      })
      // Of several statements the first one's snapshot is the oldest: tags that are too old only lead to another reading.
      snapshot ??= snapshotOf(rows)
      const byHash = new Map(rows.map((row) => [row.tokenHash, row]))
      for (const token of batch) {
        const row = byHash.get(token.tokenHash)
        if (!row?.user || !row.session || !row.lastSeenAt || row.session.userId !== token.userId) {
          continue
        }
        const { user, session } = row
        const lastSeen = row.lastSeenAt.getTime()
        found.set(token, {
          user: {
            id: token.userId,
            email: user.email,
            name: user.name,
            theme: themes[themes.indexOf(user.theme)] ?? user.theme, // the one text that is there, not a copy of it
            status: 'active',
            roles: shared(user.roles),
            permissions: shared(user.permissions),
            createdAt: user.createdAt.toISOString(),
            updatedAt: user.updatedAt.toISOString()
          },
          session: {
            id: session.id,
            userId: token.userId,
            createdAt: session.createdAt.toISOString(),
            expiresAt: session.expiresAt.toISOString()
          },
          expiresAt: session.expiresAt.getTime(),
          lastSeen,
          lastSeenWritten: lastSeen
        })
      }
    }
    if (!snapshot) throw new Error('no sessions were requested')
    return { snapshot, found }
  }

  const keep = keepFresh<SessionToken, Principal>(snapshots, {
    capacity,
    load,
    scopesOf: ({ user }) => scopes[userScope(user.id)] ?? [],
    lasts,
    // Another instance may have seen them later, or this one.
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

/** Lists of roles and permissions: among tens of thousands of users a handful of different ones, each kept once. */
function createShared() {
  const known = new Map<string, string[]>()
  return (list: string[]) => {
    const text = list.join()
    const same = known.get(text)
    if (same) return same
    setNewest(known, text, list, 1000)
    return list
  }
}
