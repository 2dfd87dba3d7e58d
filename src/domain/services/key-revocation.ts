import { and, eq, gt, gte, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { apiKeys } from '../../../db/schema/services.ts'
import { authorizedOn } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import type { Actor, Author, SignedInActor, UserActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import type { KeyOwner } from '../keys/key-cache.ts'
import { targetOf } from '../keys/key-uses.ts'
import { findKeyOwner, isOwnedBy, revokeKeys } from '../keys/keys.ts'
import { changeOwnUser } from '../sign-in/own-account.ts'
import type { Context } from '../sign-in/context.ts'
import { authorizedOnService } from './services.ts'

/** Revokes a key of the actor. Throws `key-not-found`, also for keys of others and ended ones. */
export const revokeOwnKey = (
  context: Pick<Context, 'db' | 'sessionRules'>,
  actor: SignedInActor,
  { id }: { id: string }
) =>
  changeOwnUser(context, actor, (tx, user) =>
    revokeOne(tx, actor, { type: 'user', id: user.id }, id)
  )

/**
 * Revokes a key of a user or a service. Throws `key-not-found`, also for one that has ended, and
 * `exceeds-own-permissions` when its owner has a permission that the actor lacks.
 */
export async function revokeKey(db: Db, actor: Actor, { id }: { id: string }) {
  const owner = await findKeyOwner(db, id)
  if (!owner) throw new DomainError('key-not-found')
  const revoke = (tx: Db, by: Author) => revokeOne(tx, by, owner, id)
  await (owner.type === 'user'
    ? authorizedOn(db, actor, 'keys:revoke', owner, revoke)
    : authorizedOnService(db, actor, { key: owner.key, permission: 'keys:revoke' }, revoke))
}

/**
 * Revokes all keys of a user, and returns how many there were. Throws `user-not-found`, and
 * `exceeds-own-permissions` when the user has a permission that the actor lacks.
 */
export const revokeKeysOf = (db: Db, actor: Actor, { userId }: { userId: string }) =>
  authorizedOn(db, actor, 'keys:revoke', { id: userId }, async (tx, by, { id }) => {
    const revoked = await revokeSome(tx, by, id, undefined)
    await bumpUsers(tx, id)
    return revoked
  })

async function revokeOne(tx: Db, by: Author, owner: Pick<KeyOwner, 'type' | 'id'>, id: string) {
  const revoked = await revokeKeys(tx, and(eq(apiKeys.id, id), isOwnedBy(owner)))
  if (revoked.length === 0) throw new DomainError('key-not-found')
  await record(tx, by, 'key.revoke', { target: targetOf(owner), details: { key: id } })
  await bumpUsers(tx, owner.id)
}

/**
 * Revokes all keys of a user, when somebody else may have created some of them: the account is
 * given back to its owner, or gets its first second factor. Returns how many. The caller bumps the
 * user.
 */
export const revokeAllKeys = (tx: Db, by: UserActor) => revokeSome(tx, by, by.id, undefined)

/**
 * Revokes the keys that a thief of the password may have created: those of the last 72 hours that
 * one proved factor was enough for, and all of the time since the password alone added a way to
 * sign in, which may be a factor of the thief. Returns how many. The caller bumps the user.
 */
export const revokeRecentKeys = (tx: Db, by: UserActor, since: Date | undefined) =>
  revokeSome(
    tx,
    by,
    by.id,
    or(
      and(eq(apiKeys.assurance, 1), gt(apiKeys.createdAt, sql`now() - interval '72 hours'`)),
      since && gte(apiKeys.createdAt, since)
    )
  )

async function revokeSome(tx: Db, by: Author, userId: string, which: SQL | undefined) {
  const own = isOwnedBy({ type: 'user', id: userId })
  const { length: revoked } = await revokeKeys(tx, and(own, which))
  if (revoked > 0) await record(tx, by, 'key.revoke', { userId, details: { revoked } })
  return revoked
}
