import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { roles } from '../../../db/schema/roles.ts'
import { passkeys, recoveryCodes, totp } from '../../../db/schema/second-factors.ts'
import { users } from '../../../db/schema/users.ts'
import { DomainError } from '../errors.ts'
import { listProviderAccounts } from '../providers/accounts.ts'
import { findRequiringRoles, holdersOf } from './enrolment.ts'
import { listPasskeys } from './passkeys.ts'
import { lastCodeAt } from './totp.ts'

/**
 * The second factors and linked accounts of a user, as administrators see them. Throws
 * `user-not-found`.
 */
export async function listFactors(db: Db, { userId }: { userId: string }) {
  const [found] = await db
    .select({
      secondFactor: users.secondFactor,
      createdAt: totp.confirmedAt,
      lastUsedAt: lastCodeAt
    })
    .from(users)
    .leftJoin(totp, eq(totp.userId, users.id))
    .where(eq(users.id, userId))
  if (!found) throw new DomainError('user-not-found')
  const { secondFactor, createdAt, lastUsedAt } = found
  const passkeys = await listPasskeys(db, userId)
  return {
    secondFactor,
    requiredByRoles: await findRequiringRoles(db, userId),
    totp: createdAt && { createdAt, lastUsedAt },
    passkeys: passkeys.map(({ credentialId, ...passkey }) => passkey),
    providers: await listProviderAccounts(db, userId),
    recoveryCodes: await findCodes(db, userId)
  }
}

/** Null when the user has never got any. */
async function findCodes(db: Db, userId: string) {
  const [codes] = await db
    .select({
      left: sql<number>`count(*) filter (where ${recoveryCodes.usedAt} is null)`.mapWith(Number),
      createdAt: sql<Date | null>`max(${recoveryCodes.createdAt})`.mapWith(recoveryCodes.createdAt),
      lastUsedAt: sql<Date | null>`max(${recoveryCodes.usedAt})`.mapWith(recoveryCodes.usedAt)
    })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId))
  return codes?.createdAt ? { ...codes, createdAt: codes.createdAt } : null
}

/**
 * The second factors of the active members of a role, which give them the role if it requires one,
 * the newest first. Only passkeys have a name.
 * @param input.userId of one member; undefined for all
 */
export function findMemberFactors(
  db: Db,
  { role, userId, limit }: { role: string; userId?: string | undefined; limit: number }
) {
  const held = holdersOf(db, eq(roles.key, role))
  const isMember = and(
    eq(users.status, 'active'),
    userId === undefined ? undefined : eq(users.id, userId)
  )
  const members = db
    .select({ id: users.id, email: users.email })
    .from(users)
    .innerJoin(held, eq(held.userId, users.id))
    .where(isMember)
    .as('members')
  const noName = sql<string | null>`null`.as('name')
  const apps = db
    .select({ email: members.email, name: noName, since: totp.confirmedAt })
    .from(totp)
    .innerJoin(members, eq(members.id, totp.userId))
  const keys = db
    .select({ email: members.email, name: passkeys.name, since: passkeys.createdAt })
    .from(passkeys)
    .innerJoin(members, eq(members.id, passkeys.userId))
  return unionAll(apps, keys).orderBy(desc(totp.confirmedAt), asc(users.email)).limit(limit)
}
