import { eq, isNotNull, sql } from 'drizzle-orm'
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
 * amount of each kind of foreign hash. It reads the whole table, so call it once in a process.
 */
export async function findStoredWork(db: Db): Promise<Work> {
  const hash = users.passwordHash
  const isForeign = isForeignHash(hash)
  const parameters = sql<string>`split_part(${hash}, ':', 2) || ':' || split_part(${hash}, ':', 3)`
  const rows = await db
    .select({
      parameters: sql<string | null>`case when ${isForeign} then ${parameters} end`,
      cost: sql`max(split_part(${hash}, '$', 3)::int) filter (where not ${isForeign})`.mapWith(
        Number
      )
    })
    .from(users)
    .where(isNotNull(hash))
    .groupBy(sql`1`)
  const work = { cost: 0, foreign: {} as Record<string, number> }
  for (const { parameters, cost } of rows) {
    const met = parameters === null ? undefined : foreignWork(`${foreignMark}${parameters}`)
    if (met) work.foreign[met.kind] = Math.max(work.foreign[met.kind] ?? 0, met.amount)
    else work.cost = cost
  }
  return work
}

/** The number of users whose password is still in the form of another system. */
export const countForeignHashes = (db: Db) => db.$count(users, isForeignHash(users.passwordHash))
