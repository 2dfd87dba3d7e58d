import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { databaseCode } from '../../../db/errors.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { retried, transaction } from '../../../db/transaction.ts'
import { asUser, record } from '../activity/record.ts'
import type { Actor } from '../activity/record.ts'
import { emailTaken, invalidToken, mailOff } from '../errors.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { notify, occasionOf } from '../mail/notices.ts'
import { requestRecoveryMail } from '../mail/requests.ts'
import { revoke } from '../sessions/sessions.ts'
import { throttled } from '../throttling/admission.ts'
import { deleteThrottles } from '../throttling/cleanup.ts'
import { consumeToken, deleteTokens, readToken } from '../tokens/tokens.ts'
import { normaliseEmail, requireEmail } from '../users/emails.ts'
import { lockUser } from '../users/lock.ts'
import type { LockedUser } from '../users/lock.ts'
import type { Services } from './services.ts'
import { findOwner, writePassword } from './stored-passwords.ts'

/**
 * Sends a link to the owner of an account, if there is one. Nothing is looked up, so that nobody
 * learns whether there is. Throws `mail-off`, `rate-limited` and a refusal that names `email`.
 */
export async function requestRecovery(services: Services, actor: Actor, input: { email: string }) {
  const { db, buckets, mail } = services
  if (!mail) throw mailOff()
  const emailNormalized = requireEmail(input.email)
  const counted = {
    wanted: buckets.mail(actor.ip, 'recovery', emailNormalized),
    findUser: async () => undefined,
    arrived: performance.now()
  }
  await throttled(services, counted, () =>
    retried(() => requestRecoveryMail(db, mail, actor, emailNormalized))
  )
}

interface NewPassword {
  token: string
  newPassword: string
}

/**
 * Sets a new password with the token of a link, and ends all sessions. Signs nobody in. Throws
 * `invalid-token`, `rate-limited`, `overloaded`, and a refusal that names `newPassword` and leaves
 * the token valid.
 */
export const recoverAccount = (services: Services, actor: Actor, input: NewPassword) =>
  withNewPassword(
    services,
    actor,
    { ...input, purpose: 'password-reset' },
    async (tx, user, email) => {
      // A link that was sent to another address than the current one proves nothing.
      if (email !== null && normaliseEmail(email) !== user.emailNormalized) throw invalidToken()
      if (email !== null && !user.emailVerifiedAt) {
        await tx
          .update(users)
          .set({ emailVerifiedAt: sql`now()` })
          .where(eq(users.id, user.id))
      }
      const emailVerifiedAt = user.emailVerifiedAt ?? (email === null ? null : new Date())
      return { action: 'auth.recovery', user: { ...user, emailVerifiedAt } }
    }
  )

/**
 * Restores the address that an account had before it was changed, with a new password, and ends
 * all sessions: the way back for the owner of a stolen account. Throws like recoverAccount, and
 * `email-taken`.
 */
export const revertEmail = (services: Services, actor: Actor, input: NewPassword) =>
  withNewPassword(
    services,
    actor,
    { ...input, purpose: 'email-revert' },
    async (tx, user, email) => {
      const emailNormalized = normaliseEmail(email ?? '')
      if (email === null || emailNormalized === undefined) throw invalidToken()
      await tx
        .update(users)
        .set({ email, emailNormalized, emailVerifiedAt: sql`now()` })
        .where(eq(users.id, user.id))
        .catch((error: unknown) => {
          throw databaseCode(error) === '23505' ? emailTaken() : error
        })
      return {
        action: 'user.email-revert',
        user: { ...user, email, emailNormalized, emailVerifiedAt: new Date() }
      }
    }
  )

type Recovered = { action: 'auth.recovery' | 'user.email-revert'; user: LockedUser }

async function withNewPassword(
  services: Services,
  actor: Actor,
  { token, newPassword, purpose }: NewPassword & { purpose: 'password-reset' | 'email-revert' },
  work: (tx: Db, user: LockedUser, email: string | null) => Promise<Recovered>
) {
  const { db, passwords, buckets, mail } = services
  const counted = {
    wanted: buckets.tokens(actor.ip),
    findUser: async () => undefined,
    arrived: performance.now()
  }
  await throttled(services, counted, async (_, requireTime) => {
    const { userId } = await readToken(db, purpose, token)
    await passwords.check(newPassword, 'newPassword', await findOwner(db, userId ?? ''))
    const passwordHash = await passwords.hash(newPassword, true)
    requireTime()
    await transaction(db, async (tx) => {
      const locked = await lockUser(tx, userId ?? '')
      if (locked?.status !== 'active') throw invalidToken()
      const { email } = await consumeToken(tx, purpose, token)
      const { action, user } = await work(tx, locked, email)
      await writePassword(tx, user.id, passwordHash)
      await deleteTokens(tx, ['confirm'], { userId: user.id })
      const ended = await revoke(tx, 'password-reset', eq(sessions.userId, user.id))
      await deleteThrottles(tx, buckets.keysOf(user.emailNormalized, user.id))
      await record(tx, asUser(actor, user), action, {
        target: { type: 'user', id: user.id },
        details: { revoked: ended.length }
      })
      await notify(tx, mail, user, { kind: 'password-changed', ...occasionOf(actor) })
      await bumpUsers(tx, user.id)
    })
  })
}
