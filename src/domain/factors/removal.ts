import { and, eq, gte } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/passkeys.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { recoveryCodes, totp } from '../../../db/schema/second-factors.ts'
import type { FactorMethod } from '../../../db/schema/second-factors.ts'
import { factorsOf } from './methods.ts'

/** Whether the user got a second factor or a provider account at this time or later. */
export async function hasWayInSince(tx: Db, userId: string, since: Date) {
  const apps = and(eq(totp.userId, userId), gte(totp.confirmedAt, since))
  const keys = and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since))
  const linked = and(eq(providerAccounts.userId, userId), gte(providerAccounts.createdAt, since))
  return (
    (await tx.$count(totp, apps)) > 0 ||
    (await tx.$count(passkeys, keys)) > 0 ||
    (await tx.$count(providerAccounts, linked)) > 0
  )
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
