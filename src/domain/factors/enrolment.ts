import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import type { LockedUser } from '../access/rights.ts'
import { consumeToken } from '../tokens/tokens.ts'
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
 * The first factor of a user whose roles require one takes a token that was sent by mail or handed
 * over by an operator: otherwise a thief with the password would set up a factor and have two. Call
 * it in the transaction that stores the factor, with the user locked. Throws
 * `enrolment-token-required` and `invalid-token`.
 */
export async function requireEnrolmentToken(tx: Db, user: LockedUser, token: string | undefined) {
  if ((await factorsOf(tx, user.id)).length > 0) return
  if ((await findRequiringRoles(tx, user.id)).length === 0) return
  if (token === undefined) throw enrolmentTokenRequired()
  await consumeToken(tx, 'factor-enrolment', token, user.id)
}

/**
 * Refuses the removal of the last factor while the account or a role of the user needs one. Call it
 * after the removal, with the user locked: the refusal rolls it back. Throws `last-second-factor`.
 */
export async function requireFactorLeft(tx: Db, user: LockedUser) {
  if ((await factorsOf(tx, user.id)).length > 0) return
  if (user.secondFactor || (await findRequiringRoles(tx, user.id)).length > 0) {
    throw lastSecondFactor()
  }
}
