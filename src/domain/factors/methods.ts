import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import { factorMethods, recoveryCodes, totp } from '../../../db/schema/second-factors.ts'
import type { FactorMethod } from '../../../db/schema/second-factors.ts'

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
