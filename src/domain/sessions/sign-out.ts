import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { ofSeconds } from '../../../db/intervals.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { awaitReplication, isUnexpired, revoke } from './sessions.ts'
import type { SessionToken } from './sessions.ts'

/** Seconds for which the previous secret of a session can still end it, and do nothing else. */
const previousSeconds = 60

const hashOf = ({ tokenHash }: SessionToken) => Buffer.from(tokenHash, 'hex')

const isPresented = (tokens: SessionToken[]) =>
  and(inArray(sessions.tokenHash, tokens.map(hashOf)), isUnexpired)

/**
 * A new authentication replaces the secret and sets `reauthenticatedAt`, or `lastUsedAt` of the
 * provider account that proved it. So does a new password, which sets `updatedAt` of the user.
 */
const wasPresented = (tokens: SessionToken[]) =>
  and(
    or(
      ...tokens.map((token) =>
        and(eq(sessions.userId, token.userId), eq(sessions.previousTokenHash, hashOf(token)))
      )
    ),
    sql`greatest(${sessions.reauthenticatedAt}, (
      select ${users.updatedAt} from ${users} where ${users.id} = ${sessions.userId}
    ), (
      select max(${providerAccounts.lastUsedAt}) from ${providerAccounts}
      where ${providerAccounts.userId} = ${sessions.userId}
    )) > now() - ${ofSeconds(previousSeconds)}`,
    isUnexpired
  )

/**
 * Revokes the sessions of the tokens that came with a request. If the user authenticates again
 * meanwhile, the request carries the previous secret. Its session ends all the same.
 */
export async function revokePresented(
  tx: Db,
  reason: 'logout' | 'replaced',
  tokens: SessionToken[]
) {
  if (tokens.length === 0) return []
  const ended = await revoke(tx, reason, isPresented(tokens))
  if (ended.length === tokens.length) return ended
  // A second statement, because the first one may have waited for a new secret.
  return [...ended, ...(await revoke(tx, reason, wasPresented(tokens)))]
}

/** Ends those of these sessions that are active, and records `auth.logout` for each user. */
export async function signOut(db: Db, actor: Actor, { tokens }: { tokens: SessionToken[] }) {
  if (tokens.length === 0) return
  await transaction(db, async (tx) => {
    const ended = await revokePresented(tx, 'logout', tokens)
    if (ended.length === 0) {
      return awaitReplication(tx, or(isPresented(tokens), wasPresented(tokens)))
    }
    const userIds = ended.map((session) => session.userId)
    const owners = await tx
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(inArray(users.id, userIds))
    for (const session of ended) {
      const owner = owners.find((user) => user.id === session.userId)
      await record(tx, owner ? asUser(actor, owner) : actor, 'auth.logout', {
        target: { type: 'session', id: session.id }
      })
    }
    await bumpUsers(tx, ...userIds)
  })
}
