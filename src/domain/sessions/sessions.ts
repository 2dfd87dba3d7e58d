import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofSeconds } from '../../../db/intervals.ts'
import { userScope } from '../../../db/schema/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import type { RevokeReason } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { retried, transaction } from '../../../db/transaction.ts'
import { asUser, record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { sha256 } from '../crypto.ts'
import { bump } from '../freshness/epochs.ts'

export interface SessionRules {
  idleSeconds: number
  absoluteSeconds: number
  maxPerUser: number
}

/** What a verified token says: which session, and whose it must be. */
export interface SessionToken {
  userId: string
  /** In hexadecimal: tens of thousands are remembered, and a text takes a third of what bytes do. */
  tokenHash: string
}

/** The database keeps only this of a session's secret. */
export const hashSecret = (secret: string): Uint8Array => sha256(secret)

/** Neither revoked nor over its absolute or idle time, by the database's clock. */
export const isLive = (idleSeconds: number) =>
  and(isNull(sessions.revokedAt), gt(sessions.expiresAt, sql`now()`), isInUse(idleSeconds))

/** Not over its idle time. */
export const isInUse = (idleSeconds: number) =>
  gt(sessions.lastSeenAt, sql`now() - ${ofSeconds(idleSeconds)}`)

/** Times in milliseconds. */
export const idleExpiry = (now: number, expiresAt: number, idleSeconds: number) =>
  new Date(Math.min(now + idleSeconds * 1000, expiresAt))

/** Ends these sessions where they still live, and records it as `auth.logout` of each one's user. */
export async function signOut(
  db: Db,
  actor: Actor,
  { tokenHashes }: { tokenHashes: Uint8Array[] }
) {
  if (tokenHashes.length === 0) return
  await transaction(db, async (tx) => {
    const ended = await revoke(
      tx,
      'logout',
      and(inArray(sessions.tokenHash, tokenHashes), gt(sessions.expiresAt, sql`now()`))
    )
    if (ended.length === 0) return
    const owners = await tx
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(
        inArray(
          users.id,
          ended.map((session) => session.userId)
        )
      )
    for (const session of ended) {
      const owner = owners.find((user) => user.id === session.userId)
      await record(tx, owner ? asUser(actor, owner) : actor, 'auth.logout', {
        target: { type: 'session', id: session.id }
      })
    }
    await bump(tx, ...ended.map((session) => userScope(session.userId)))
  })
}

/** Ends the sessions that match and are not yet revoked; the caller records it and bumps their users' scopes. */
export async function revoke(tx: Db, reason: RevokeReason, which: SQL | undefined) {
  return tx
    .update(sessions)
    .set({ revokedAt: sql`now()`, revokeReason: reason })
    .where(and(which, isNull(sessions.revokedAt)))
    .returning({ id: sessions.id, userId: sessions.userId })
}

/** Ends the oldest live sessions over the limit. Call it with the user's row locked, else two logins count past each other. */
export async function revokeOverLimit(
  tx: Db,
  userId: string,
  { idleSeconds, maxPerUser }: SessionRules
) {
  const over = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLive(idleSeconds)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .offset(maxPerUser)
  return over.length === 0
    ? []
    : revoke(
        tx,
        'session-limit',
        inArray(
          sessions.id,
          over.map((session) => session.id)
        )
      )
}

/**
 * Writes when sessions were last seen, in one statement. Never backwards, and never onto a session
 * that is revoked or was already idle for too long: that one has ended, and a late write must not
 * wake it. The rows are locked in the order of their ids: instances write the same ones at once.
 */
export async function writeLastSeen(
  db: Db,
  seen: Iterable<readonly [id: string, at: Date]>,
  idleSeconds: number
) {
  const rows = JSON.stringify(Array.from(seen, ([id, at]) => ({ id, at })))
  await retried(() =>
    db.execute(sql`
    with seen as (
      select id, max(at) as at from jsonb_to_recordset(${rows}::text::jsonb) as each(id uuid, at timestamptz(3))
      group by id
    ), locked as (
      select ${sessions.id}, seen.at from ${sessions} join seen on seen.id = ${sessions.id}
      where ${sessions.revokedAt} is null
        and ${sessions.lastSeenAt} < seen.at and ${sessions.lastSeenAt} > seen.at - ${ofSeconds(idleSeconds)}
      order by ${sessions.id} for no key update of ${sessions}
    )
    update ${sessions} set last_seen_at = greatest(${sessions.lastSeenAt}, locked.at)
    from locked where ${sessions.id} = locked.id`)
  )
}
