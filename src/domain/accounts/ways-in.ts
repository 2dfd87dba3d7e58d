import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import { findMethods } from '../factors/methods.ts'
import { hasAccountAt } from '../providers/accounts.ts'
import { lastSignInMethod } from '../providers/errors.ts'
import type { Services } from '../sign-in/services.ts'

/**
 * Refuses a removal after which nothing is left to sign in with. Call it after the removal, with
 * the user locked: the refusal rolls it back. Throws `last-sign-in-method`.
 */
export async function requireWayIn(
  tx: Db,
  { passkeys, providers }: Pick<Services, 'passkeys' | 'providers'>,
  userId: string
) {
  const withPassword = and(eq(users.id, userId), isNotNull(users.passwordHash))
  const hasOne =
    (await tx.$count(users, withPassword)) > 0 ||
    (await findMethods(tx, userId, { rpId: passkeys?.rpId })).includes('passkey') ||
    (await hasAccountAt(tx, userId, providers))
  if (!hasOne) throw lastSignInMethod()
}
