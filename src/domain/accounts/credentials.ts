import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { userScope } from '../../../db/schema/epochs.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { retried, transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Action, Actor, SignedInActor } from '../activity/record.ts'
import { throttled } from '../throttling/admission.ts'
import { randomText } from '../crypto.ts'
import { requireEmail } from '../users/emails.ts'
import { bump } from '../freshness/epochs.ts'
import { unauthenticated, wrongPassword } from '../errors.ts'
import type { Owner } from '../passwords/guessable.ts'
import { actOn, lockUser } from '../access/rights.ts'
import type { LockedUser } from '../access/rights.ts'
import { hashSecret, isLive, revoke } from '../sessions/sessions.ts'
import type { SessionRules } from '../sessions/sessions.ts'
import { giveBack } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { nextVersion } from '../users/users.ts'
import type { Services } from './services.ts'
import { removeUser, writeChanges } from './user-changes.ts'

/**
 * Sets a new password, ends every other session, and gives the present one a new secret: a token that somebody copied is worth nothing now.
 * Throws `wrong-password`, and a refusal that names `newPassword`. Returns what the new token and the new device cookie are made of.
 */
export async function changePassword(
  services: Services,
  actor: SignedInActor,
  input: { currentPassword: string; newPassword: string }
) {
  const { db, passwords, devices } = services
  await passwords.check(input.newPassword, 'newPassword', await findOwner(db, actor.id))
  return withCurrentPassword(
    services,
    actor,
    input.currentPassword,
    'auth.password-change',
    async (credentialVersion, charge) => {
      const passwordHash = await passwords.hash(input.newPassword, true)
      const secret = randomText()
      return transaction(db, async (tx) => {
        const user = await lockSelf(tx, actor, services.sessionRules, credentialVersion)
        await writePassword(tx, user.id, passwordHash)
        const ended = await revoke(
          tx,
          'password-change',
          and(eq(sessions.userId, user.id), ne(sessions.id, actor.sessionId))
        )
        const [session] = await tx
          .update(sessions)
          .set({ tokenHash: hashSecret(secret) })
          .where(eq(sessions.id, actor.sessionId))
          .returning({
            userId: sessions.userId,
            createdAt: sessions.createdAt,
            expiresAt: sessions.expiresAt
          })
        if (!session) throw unauthenticated()
        await record(tx, actor, 'auth.password-change', {
          target: { type: 'user', id: user.id },
          details: { revoked: ended.length }
        })
        await giveBack(tx, charge, 'success')
        await bump(tx, userScope(user.id))
        return {
          session,
          secret,
          device: devices.issue({ id: user.id, credentialVersion: credentialVersion + 1 })
        }
      })
    }
  )
}

/** Throws `wrong-password`, `email-taken`, and a refusal that names `email`. */
export async function changeEmail(
  services: Services,
  actor: SignedInActor,
  { email, currentPassword }: { email: string; currentPassword: string }
) {
  const emailNormalized = requireEmail(email)
  return withCurrentPassword(
    services,
    actor,
    currentPassword,
    'user.update',
    (credentialVersion, charge) =>
      transaction(services.db, async (tx) => {
        const user = await lockSelf(tx, actor, services.sessionRules, credentialVersion)
        const changed = await writeChanges(tx, actor, user.id, { email, emailNormalized })
        await giveBack(tx, charge, 'success')
        if (changed) await bump(tx, userScope(user.id))
        return { email }
      })
  )
}

/** Throws `wrong-password` and `last-admin`. */
export async function deleteOwnAccount(
  services: Services,
  actor: SignedInActor,
  { currentPassword }: { currentPassword: string }
) {
  await withCurrentPassword(services, actor, currentPassword, 'user.delete', (credentialVersion) =>
    transaction(services.db, async (tx) => {
      await removeUser(
        tx,
        actor,
        await lockSelf(tx, actor, services.sessionRules, credentialVersion)
      )
    })
  )
}

/** Sets somebody's password and ends all their sessions. Throws `exceeds-own-permissions`, and a refusal that names `password`. */
export async function setPassword(
  { db, passwords }: Pick<Services, 'db' | 'passwords'>,
  actor: Actor,
  { userId, password }: { userId: string; password: string }
) {
  await passwords.check(password, 'password', await findOwner(db, userId))
  const passwordHash = await passwords.hash(password, true)
  await transaction(db, async (tx) => {
    const { target, requireAuthority } = await actOn(tx, actor, 'users:update', userId)
    requireAuthority()
    await writePassword(tx, target.id, passwordHash)
    const ended = await revoke(tx, 'password-change', eq(sessions.userId, target.id))
    await record(tx, actor, 'user.password-set', {
      target: { type: 'user', id: target.id },
      details: { revoked: ended.length }
    })
    await bump(tx, userScope(target.id))
  })
}

/** Whose password it is; nobody's where the user is gone, which the transaction will find out. */
async function findOwner(db: Db, userId: string): Promise<Owner> {
  const [owner] = await db
    .select({ email: users.email, name: users.name })
    .from(users)
    .where(eq(users.id, userId))
  return owner ?? { email: '', name: '' }
}

/**
 * No hashing inside a transaction: the password is compared before it, and the version that `work` gets says in it whether it still is that one.
 * Throws `wrong-password`, `rate-limited` and `overloaded`.
 */
async function withCurrentPassword<T>(
  services: Services,
  actor: SignedInActor,
  password: string,
  action: Action,
  work: (credentialVersion: number, charge: Charge) => Promise<T>
) {
  const { db, passwords, buckets } = services
  const userId = actor.id
  const counted = {
    wanted: buckets.password(userId),
    known: buckets.known(userId, actor.ip),
    findUser: async () => userId,
    arrived: performance.now()
  }
  return throttled(services, counted, async (charge, requireTime) => {
    const [account] = await db
      .select({ passwordHash: users.passwordHash, credentialVersion: users.credentialVersion })
      .from(users)
      .where(eq(users.id, userId))
    if ((await passwords.verify(password, account?.passwordHash, true)) && account) {
      requireTime()
      return work(account.credentialVersion, charge)
    }
    await retried(() =>
      record(db, actor, action, {
        outcome: 'failure',
        reason: 'wrong-password',
        target: { type: 'user', id: userId }
      })
    )
    throw wrongPassword()
  })
}

/** The user locked, and judged again: still active, in a session that still lives, with the password that was compared. */
async function lockSelf(
  tx: Db,
  { id, sessionId }: SignedInActor,
  { idleSeconds }: SessionRules,
  credentialVersion: number
): Promise<LockedUser> {
  const user = await lockUser(tx, id)
  const live = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isLive(idleSeconds)))
  if (user?.status !== 'active' || live.length === 0) throw unauthenticated()
  if (user.credentialVersion !== credentialVersion) throw wrongPassword()
  return user
}

const writePassword = (tx: Db, userId: string, passwordHash: string) =>
  tx
    .update(users)
    .set({ passwordHash, credentialVersion: sql`${users.credentialVersion} + 1`, ...nextVersion })
    .where(eq(users.id, userId))

/**
 * The highest bcrypt cost among the stored hashes; 0 without any.
 * Reads the whole table, a million rows in a fifth of a second: for once in a process.
 */
export async function highestCost(db: Db): Promise<number> {
  const cost = sql`max(split_part(${users.passwordHash}, '$', 3)::int)`.mapWith(Number)
  const [row] = await db.select({ cost }).from(users)
  return row?.cost ?? 0
}
