import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { totp } from '../../../db/schema/second-factors.ts'
import { users } from '../../../db/schema/users.ts'
import { consumeLinkToken } from '../tokens/tokens.ts'
import type { LockedUser } from '../users/lock.ts'
import { enrolmentTokenRequired, lastSecondFactor } from './errors.ts'
import { factorsOf } from './methods.ts'

/** Keys of the user's roles that require a second factor. */
export async function findRequiringRoles(db: Db, userId: string): Promise<string[]> {
  const found = await db
    .select({ key: roles.key })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(and(eq(userRoles.userId, userId), eq(roles.requiresSecondFactor, true)))
    .orderBy(asc(roles.key))
  return found.map(({ key }) => key)
}

/**
 * The roles that require a second factor, with the number of their active members and of those who
 * have one.
 */
export const findRequirements = (db: Db) =>
  db
    .select({
      role: roles.key,
      members: count(users.id),
      withFactor: sql<number>`count(*) filter (where
        exists (select 1 from ${totp} where ${totp.userId} = ${users.id})
        or exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id}))`.mapWith(
        Number
      )
    })
    .from(roles)
    .leftJoin(userRoles, eq(userRoles.roleId, roles.id))
    .leftJoin(users, and(eq(users.id, userRoles.userId), eq(users.status, 'active')))
    .where(eq(roles.requiresSecondFactor, true))
    .groupBy(roles.key)
    .orderBy(asc(roles.key))

/**
 * Whether the next factor of this user is the first one, and a role requires one. It then takes a
 * token, sent by mail or created by an operator: otherwise a thief with the password could set up a
 * factor and have two.
 */
export async function needsEnrolmentToken(db: Db, { id }: Pick<LockedUser, 'id'>) {
  return (await factorsOf(db, id)).length === 0 && (await findRequiringRoles(db, id)).length > 0
}

/**
 * Uses up the token where one is needed. Call it in the transaction that stores the factor, with
 * the user locked. Throws `enrolment-token-required` and `invalid-token`.
 */
export async function requireEnrolmentToken(tx: Db, user: LockedUser, token: string | undefined) {
  if (!(await needsEnrolmentToken(tx, user))) return
  if (token === undefined) throw enrolmentTokenRequired()
  await consumeLinkToken(tx, 'factor-enrolment', token, user.id)
}

/**
 * Refuses the removal of the last factor while the account or a role of the user needs one.
 * Passkeys that cannot be used any more do not count. Call it after the removal, with the user
 * locked: the refusal rolls it back. Throws `last-second-factor`.
 */
export async function requireFactorLeft(tx: Db, user: LockedUser, rpId: string | undefined) {
  if ((await factorsOf(tx, user.id, { rpId })).length > 0) return
  if (user.secondFactor || (await findRequiringRoles(tx, user.id)).length > 0) {
    throw lastSecondFactor()
  }
}
