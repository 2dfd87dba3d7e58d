import { and, asc, count, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { scopedRoles } from '../../../db/schema/scopes.ts'
import { factorMethods, passkeys, recoveryCodes, totp } from '../../../db/schema/second-factors.ts'
import type { FactorMethod } from '../../../db/schema/second-factors.ts'
import { users } from '../../../db/schema/users.ts'
import { consumeLinkToken } from '../tokens/tokens.ts'
import type { LockedUser } from '../users/users.ts'
import { DomainError } from '../errors.ts'

/** Keys of the user's roles, in scopes as well, that require a second factor. */
export async function findRequiringRoles(db: Db, userId: string): Promise<string[]> {
  const held = holdersOf(db, eq(roles.requiresSecondFactor, true))
  const found = await db
    .select({ key: roles.key })
    .from(held)
    .innerJoin(roles, eq(roles.id, held.roleId))
    .where(eq(held.userId, userId))
    .orderBy(asc(roles.key))
  return found.map(({ key }) => key)
}

/** Who has the roles that meet a condition, everywhere or in scopes, each once. */
export function holdersOf(db: Db, condition: SQL) {
  const wanted = db.select({ id: roles.id }).from(roles).where(condition)
  const everywhere = db.select({ roleId: userRoles.roleId, userId: userRoles.userId })
  const inScopes = db.select({ roleId: scopedRoles.roleId, userId: scopedRoles.userId })
  return union(
    everywhere.from(userRoles).where(inArray(userRoles.roleId, wanted)),
    inScopes.from(scopedRoles).where(inArray(scopedRoles.roleId, wanted))
  ).as('held')
}

/**
 * The roles that require a second factor, with the number of their active members, in scopes as
 * well, and of those who have one.
 */
export function findRequirements(db: Db) {
  const isRequiring = eq(roles.requiresSecondFactor, true)
  const held = holdersOf(db, isRequiring)
  return db
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
    .leftJoin(held, eq(held.roleId, roles.id))
    .leftJoin(users, and(eq(users.id, held.userId), eq(users.status, 'active')))
    .where(isRequiring)
    .groupBy(roles.key)
    .orderBy(asc(roles.key))
}

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
  if (token === undefined) throw new DomainError('enrolment-token-required')
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
    throw new DomainError('last-second-factor')
  }
}

/**
 * The methods of the second step that a user has. Recovery codes come last.
 * @param passkeysOf where passkeys must be usable: with this RP ID, or nowhere if they are off.
 *   Without it, all of them count.
 */
export async function findMethods(
  db: Db,
  userId: string,
  passkeysOf?: { rpId: string | undefined }
): Promise<FactorMethod[]> {
  const isUsable = passkeysOf && eq(passkeys.rpId, passkeysOf.rpId ?? '')
  const has: Record<FactorMethod, object[]> = {
    totp: await db.select({ userId: totp.userId }).from(totp).where(eq(totp.userId, userId)),
    passkey: await db
      .select({ id: passkeys.id })
      .from(passkeys)
      .where(and(eq(passkeys.userId, userId), isUsable))
      .limit(1),
    'recovery-code': await db
      .select({ userId: recoveryCodes.userId })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
      .limit(1)
  }
  return factorMethods.filter((method) => has[method].length > 0)
}

/**
 * The second factors that a user has. Recovery codes alone are not a second factor.
 * @param passkeysOf as for `findMethods`
 */
export const factorsOf = async (
  db: Db,
  userId: string,
  passkeysOf?: { rpId: string | undefined }
) => (await findMethods(db, userId, passkeysOf)).filter((method) => method !== 'recovery-code')

/** The ways to sign in that the user got at this time or later, a provider account by its key. */
export async function findAddedSince(db: Db, userId: string, since: Date) {
  const apps = and(eq(totp.userId, userId), gte(totp.confirmedAt, since))
  const keys = await db
    .select({ name: passkeys.name })
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since)))
    .orderBy(asc(passkeys.createdAt))
  const linked = await db
    .select({ name: providerAccounts.provider })
    .from(providerAccounts)
    .where(and(eq(providerAccounts.userId, userId), gte(providerAccounts.createdAt, since)))
    .orderBy(asc(providerAccounts.createdAt))
  return [
    ...((await db.$count(totp, apps)) > 0 ? [{ kind: 'totp' as const, name: null }] : []),
    ...keys.map(({ name }) => ({ kind: 'passkey' as const, name })),
    ...linked.map(({ name }) => ({ kind: 'provider' as const, name }))
  ]
}

/**
 * Removes the second factors of a user that were added at this time or later, or all of them.
 * Recovery codes that were created since go as well, and all of them
 * with the last factor. Returns what was removed that could be used. Call it with the user locked.
 */
export async function removeFactors(tx: Db, userId: string, since?: Date): Promise<FactorMethod[]> {
  const apps = await tx
    .delete(totp)
    // A replaced app counts from its confirmation.
    .where(and(eq(totp.userId, userId), since && gte(totp.confirmedAt, since)))
    .returning({ userId: totp.userId })
  const keys = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), since && gte(passkeys.createdAt, since)))
    .returning({ id: passkeys.id })
  const isLast = (await factorsOf(tx, userId)).length === 0
  const codes = await tx
    .delete(recoveryCodes)
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        isLast || !since ? undefined : gte(recoveryCodes.createdAt, since)
      )
    )
    .returning({ usedAt: recoveryCodes.usedAt })
  return [
    ...(apps.length > 0 ? (['totp'] as const) : []),
    ...(keys.length > 0 ? (['passkey'] as const) : []),
    ...(codes.some(({ usedAt }) => !usedAt) ? (['recovery-code'] as const) : [])
  ]
}
