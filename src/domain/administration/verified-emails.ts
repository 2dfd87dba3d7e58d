import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { actOn } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { emailVerified } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { writeUser } from '../users/users.ts'

/**
 * Marks the address of a user as confirmed, for an operator who knows that it is theirs. Throws
 * `email-verified`.
 */
export async function verifyEmail(db: Db, actor: Actor, { userId }: { userId: string }) {
  await actOn(db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    if (target.emailVerifiedAt) throw emailVerified()
    await writeUser(tx, target.id, { emailVerifiedAt: sql`now()` })
    await record(tx, by, 'user.email-verify', { userId: target.id })
    await bumpUsers(tx, target.id)
  })
}
