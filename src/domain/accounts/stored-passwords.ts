import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'
import type { Owner } from '../passwords/guessable.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { nextCredentials, writeUser } from '../users/users.ts'

/** The owner of an account, with empty fields when it is deleted, which the transaction reports. */
export async function findOwner(db: Db, userId: string): Promise<Owner> {
  const [owner] = await db
    .select({ email: users.email, name: users.name })
    .from(users)
    .where(eq(users.id, userId))
  return owner ?? { email: '', name: '' }
}

/**
 * Stores a hash. It invalidates the known devices, every login that is under way, and the earlier
 * links that somebody who knew the old password may have requested. Links that revert a change of
 * address stay valid: they undo what such a person did.
 */
export async function writePassword(tx: Db, userId: string, passwordHash: string) {
  await writeUser(tx, userId, { passwordHash, ...nextCredentials })
  await deleteLinkTokens(tx, ['password-reset', 'email-change', 'factor-enrolment'], { userId })
}

/**
 * The highest bcrypt cost of all stored hashes, or 0 without any. It reads the whole table (a
 * million rows in 0.2 s), so call it once in a process.
 */
export async function highestCost(db: Db): Promise<number> {
  const cost = sql`max(split_part(${users.passwordHash}, '$', 3)::int)`.mapWith(Number)
  const [row] = await db.select({ cost }).from(users)
  return row?.cost ?? 0
}
