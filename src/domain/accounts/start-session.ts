import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { ofSeconds } from '../../../db/intervals.ts'
import { userScope } from '../../../db/schema/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { record, recordAll } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { randomText } from '../crypto.ts'
import { bump } from '../freshness/epochs.ts'
import { hashSecret, idleExpiry, revoke, revokeOverLimit } from '../sessions/sessions.ts'
import type { SessionRules } from '../sessions/sessions.ts'
import { giveBack } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { findCurrentUser } from '../users/users.ts'

/**
 * Undefined when the account was deactivated or its password changed while the login was hashing.
 */
export async function startSession(
  tx: Db,
  rules: SessionRules,
  actor: Actor,
  account: Pick<UserRow, 'id' | 'credentialVersion'>,
  presented: Uint8Array[],
  charge: Charge
) {
  const [locked] = await tx
    .select({ status: users.status, credentialVersion: users.credentialVersion })
    .from(users)
    .where(eq(users.id, account.id))
    .for('no key update')
  if (locked?.status !== 'active' || locked.credentialVersion !== account.credentialVersion) {
    return undefined
  }

  const replaced =
    presented.length === 0
      ? []
      : await revoke(
          tx,
          'replaced',
          and(inArray(sessions.tokenHash, presented), gt(sessions.expiresAt, sql`now()`))
        )
  const secret = randomText()
  const [session] = await tx
    .insert(sessions)
    .values({
      id: uuid(),
      tokenHash: hashSecret(secret),
      userId: account.id,
      expiresAt: sql`now() + ${ofSeconds(rules.absoluteSeconds)}`,
      ip: actor.ip,
      userAgent: actor.userAgent
    })
    .returning({
      id: sessions.id,
      userId: sessions.userId,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt
    })
  if (!session) throw new Error('a session was inserted and not returned')
  const overLimit = await revokeOverLimit(tx, account.id, rules)

  await tx
    .update(users)
    .set({ lastLoginAt: sql`now()` })
    .where(eq(users.id, account.id))
  if (overLimit.length > 0) {
    await recordAll(
      tx,
      actor,
      'session.limit',
      overLimit.map(({ id }) => ({ target: { type: 'session', id } }))
    )
  }
  await record(tx, actor, 'auth.login', {
    target: { type: 'session', id: session.id },
    ...(replaced.length > 0 && { details: { replaced: replaced.length } })
  })
  const user = await findCurrentUser(tx, account.id)
  if (!user) throw new Error('a user was locked and not found')
  await giveBack(tx, charge, 'success')
  await bump(tx, ...[...replaced, ...overLimit].map((ended) => userScope(ended.userId)))
  return {
    user,
    session: {
      ...session,
      idleExpiresAt: idleExpiry(
        session.createdAt.getTime(),
        session.expiresAt.getTime(),
        rules.idleSeconds
      )
    },
    secret
  }
}
