import { randomBytes } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { userScope } from '../../db/schema/epochs.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { transaction } from '../../db/transaction.ts'
import { record } from './activity.ts'
import type { Action, Actor } from './activity.ts'
import { requireEmail } from './emails.ts'
import { bump } from './epochs.ts'
import { unauthenticated, wrongPassword } from './errors.ts'
import type { Passwords } from './passwords.ts'
import { actOn, lockUser } from './rights.ts'
import type { LockedUser } from './rights.ts'
import { hashSecret, isLive, revoke } from './sessions.ts'
import type { Self } from './sessions.ts'
import { raised, removeUser, writeChanges } from './user-changes.ts'

/**
 * Sets a new password, ends every other session, and gives the present one a new secret: a token that somebody copied is worth nothing now.
 * Throws `wrong-password`, and a refusal that names `newPassword`. Returns what the new token is made of.
 */
export async function changePassword (db: Db, passwords: Passwords, self: Self, input: { currentPassword: string, newPassword: string }) {
  passwords.check(input.newPassword, 'newPassword')
  const credentialVersion = await requireCurrentPassword(db, passwords, self, input.currentPassword, 'auth.password-change')
  const passwordHash = await passwords.hash(input.newPassword)
  const secret = randomBytes(32).toString('base64url')
  return transaction(db, async (tx) => {
    const user = await lockSelf(tx, self, credentialVersion)
    await writePassword(tx, user.id, passwordHash)
    const ended = await revoke(tx, 'password-change', and(eq(sessions.userId, user.id), ne(sessions.id, self.sessionId)))
    const [session] = await tx.update(sessions).set({ tokenHash: hashSecret(secret) }).where(eq(sessions.id, self.sessionId))
      .returning({ userId: sessions.userId, createdAt: sessions.createdAt, expiresAt: sessions.expiresAt })
    if (!session) throw unauthenticated()
    await record(tx, self.actor, 'auth.password-change', { target: { type: 'user', id: user.id }, details: { revoked: ended.length } })
    await bump(tx, userScope(user.id))
    return { session, secret }
  })
}

/** Throws `wrong-password`, `email-taken`, and a refusal that names `email`. */
export async function changeEmail (db: Db, passwords: Passwords, self: Self, { email, currentPassword }: { email: string, currentPassword: string }) {
  const emailNormalized = requireEmail(email)
  const credentialVersion = await requireCurrentPassword(db, passwords, self, currentPassword, 'user.update')
  return transaction(db, async (tx) => {
    const user = await lockSelf(tx, self, credentialVersion)
    if (await writeChanges(tx, self.actor, user.id, { email, emailNormalized })) await bump(tx, userScope(user.id))
    return { email }
  })
}

/** Throws `wrong-password` and `last-admin`. */
export async function deleteOwnAccount (db: Db, passwords: Passwords, self: Self, { currentPassword }: { currentPassword: string }) {
  const credentialVersion = await requireCurrentPassword(db, passwords, self, currentPassword, 'user.delete')
  await transaction(db, async (tx) => removeUser(tx, self.actor, await lockSelf(tx, self, credentialVersion)))
}

/** Sets somebody's password and ends all their sessions. Throws `exceeds-own-permissions`, and a refusal that names `password`. */
export async function setPassword (db: Db, passwords: Passwords, actor: Actor, userId: string, password: string) {
  passwords.check(password, 'password')
  const passwordHash = await passwords.hash(password)
  await transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'users:update', userId)
    requireAuthority()
    await writePassword(tx, target.id, passwordHash)
    const ended = await revoke(tx, 'password-change', eq(sessions.userId, target.id))
    await record(tx, actor, 'user.password-set', { target: { type: 'user', id: target.id }, details: { revoked: ended.length } })
    await bump(tx, userScope(target.id))
  })
}

/** No hashing inside a transaction: the password is compared before it, and the version returned says in it whether it still is that one. */
async function requireCurrentPassword (db: Db, passwords: Passwords, { actor, userId }: Self, password: string, action: Action) {
  const [account] = await db.select({ passwordHash: users.passwordHash, credentialVersion: users.credentialVersion }).from(users).where(eq(users.id, userId))
  if (await passwords.verify(password, account?.passwordHash) && account) return account.credentialVersion
  await record(db, actor, action, { outcome: 'failure', reason: 'wrong-password', target: { type: 'user', id: userId } })
  throw wrongPassword()
}

/** The user locked, and judged again: still active, in a session that still lives, with the password that was compared. */
async function lockSelf (tx: Db, { userId, sessionId, rules }: Self, credentialVersion: number): Promise<LockedUser> {
  const user = await lockUser(tx, userId)
  const live = await tx.select({ id: sessions.id }).from(sessions).where(and(eq(sessions.id, sessionId), isLive(rules.idleSeconds)))
  if (user?.status !== 'active' || live.length === 0) throw unauthenticated()
  if (user.credentialVersion !== credentialVersion) throw wrongPassword()
  return user
}

const writePassword = (tx: Db, userId: string, passwordHash: string) => tx.update(users)
  .set({ passwordHash, credentialVersion: sql`${users.credentialVersion} + 1`, ...raised }).where(eq(users.id, userId))
