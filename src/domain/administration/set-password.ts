import { eq } from 'drizzle-orm'
import { sessions } from '../../../db/schema/sessions.ts'
import { actOn } from '../access/rights.ts'
import { findOwner, writePassword } from '../accounts/stored-passwords.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { notify, factsOf } from '../mail/notices.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Services } from '../sign-in/services.ts'

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
  await actOn(db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    await writePassword(tx, target.id, passwordHash)
    const { length: revoked } = await revoke(tx, 'password-change', eq(sessions.userId, target.id))
    await record(tx, by, 'user.password-set', { userId: target.id, details: { revoked } })
    await notify(tx, mail, target, { kind: 'password-changed', ...factsOf(by) })
    await bumpUsers(tx, target.id)
  })
}
