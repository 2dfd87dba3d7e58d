import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { recoveryCodeCount, recoveryCodes } from '../../../db/schema/second-factors.ts'
import { randomBuffer, sha256 } from '../crypto.ts'

// Codes for the loss of the other factors (NIST SP 800-63B-4, look-up secrets).

/** Crockford's base32: no I, L, O or U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const bytes = 15

/** Twenty-four letters and digits, which are 120 bits, in six groups. */
function createCode(): string {
  const bits = BigInt(`0x${randomBuffer(bytes).toString('hex')}`)
  const letters = Array.from(
    { length: (bytes * 8) / 5 },
    (_, i) => alphabet[Number((bits >> BigInt(i * 5)) & 31n)]
  ).join('')
  return letters.replace(/.{4}(?!$)/g, '$&-')
}

/** A code as people type and paste it: only letters and digits count, O is 0, I and L are 1. */
const normalize = (code: string) =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

const hashOf = (code: string) => sha256(`recovery:${normalize(code)}`)

/** Replaces the codes of a user, and returns the new ones, which are stored as hashes only. */
export async function replaceRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, createCode)
  await deleteRecoveryCodes(tx, userId)
  // Not the time at which the transaction began: see `removeFactors`.
  const createdAt = sql`clock_timestamp()`
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, hash: hashOf(code), createdAt })))
  return codes
}

export const deleteRecoveryCodes = (tx: Db, userId: string) =>
  tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))

/** Uses up a code: true when it is the user's and was not used before. */
export async function spendRecoveryCode(tx: Db, userId: string, code: string) {
  const spent = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.hash, hashOf(code)),
        isNull(recoveryCodes.usedAt)
      )
    )
    .returning({ userId: recoveryCodes.userId })
  return spent.length > 0
}

export const countRecoveryCodes = (db: Db, userId: string) =>
  db.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
