import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { actOn } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { notify, occasionOf } from '../mail/notices.ts'
import type { Owner } from '../passwords/guessable.ts'
import { revoke } from '../sessions/sessions.ts'
import { deleteTokens } from '../tokens/tokens.ts'
import { nextCredentials } from '../users/users.ts'
import type { Services } from './services.ts'

/**
 * Sets the password of a user for an operator, and ends all sessions of the user. Throws
 * `exceeds-own-permissions`, for the operator's own account `reauthentication-required`, and a
 * refusal that names `password`.
 */
export async function setPassword(
  { db, passwords, mail }: Pick<Services, 'db' | 'passwords' | 'mail'>,
  actor: Actor,
  { userId, password }: { userId: string; password: string }
) {
  await passwords.check(password, 'password', await findOwner(db, userId))
  const passwordHash = await passwords.hash(password, true)
  await transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'users:update', userId)
    requireAuthority()
    await requireProofIfOwn(tx, actor, target)
    await writePassword(tx, target.id, passwordHash)
    const ended = await revoke(tx, 'password-change', eq(sessions.userId, target.id))
    await record(tx, actor, 'user.password-set', {
      target: { type: 'user', id: target.id },
      details: { revoked: ended.length }
    })
    await notify(tx, mail, target, { kind: 'password-changed', ...occasionOf(actor) })
    await bumpUsers(tx, target.id)
  })
}

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
  await tx
    .update(users)
    .set({ passwordHash, ...nextCredentials })
    .where(eq(users.id, userId))
  await deleteTokens(tx, ['password-reset', 'email-change', 'factor-enrolment'], { userId })
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
