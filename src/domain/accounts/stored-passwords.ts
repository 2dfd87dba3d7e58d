import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { isForeignHash, users } from '../../../db/schema/users.ts'
import { foreignMark, foreignWork } from '../passwords/foreign-comparison.js'
import type { Owner } from '../passwords/guessable.ts'
import type { Work } from '../passwords/hashing.ts'
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
 * The work of all stored hashes: the highest cost of bcrypt, or 0 without any, and the largest
 * amount of each kind of foreign hash. It reads the whole table (a million rows in 0.3 s), so call
 * it once in a process.
 */
export async function findStoredWork(db: Db): Promise<Work> {
  const hash = users.passwordHash
  // Foreign hashes have no "$", and an index of their own.
  const cost = sql`max(nullif(split_part(${hash}, '$', 3), '')::int)`.mapWith(Number)
  const [row] = await db.select({ cost }).from(users)
  const parameters = sql<string>`split_part(${hash}, ':', 2) || ':' || split_part(${hash}, ':', 3)`
  const rows = await db.selectDistinct({ parameters }).from(users).where(isForeignHash(hash))
  const foreign: Record<string, number> = {}
  for (const { parameters } of rows) {
    const met = foreignWork(`${foreignMark}${parameters}`)
    if (met) foreign[met.kind] = Math.max(foreign[met.kind] ?? 0, met.amount)
  }
  return { cost: row?.cost ?? 0, foreign }
}

/** The number of users whose password is still in the form of another system. */
export const countForeignHashes = (db: Db) => db.$count(users, isForeignHash(users.passwordHash))
