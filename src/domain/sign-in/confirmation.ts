import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { registrations } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record, recordFailure } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { byPassword } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { noteConfirmed } from '../guard/confirmed-share.ts'
import type { SessionToken } from '../sessions/sessions.ts'
import { isIncapable, throttled } from '../throttling/admission.ts'
import { consumeLinkToken, countAttempt, returnAttempt } from '../tokens/tokens.ts'
import { normalizeEmail } from '../users/emails.ts'
import { insertUser, isPresent, lockUser, writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import type { Context } from './context.ts'
import { startSession } from './start-session.ts'

interface Confirmation {
  token: string
  password: string
  /** The verified session tokens of the request. The new session replaces theirs. */
  presented: SessionToken[]
}

/**
 * Confirms the address of a registration or of an account, and signs in, up to the second factor if
 * the account needs one. The password proves that the reader of the mail also registered: a mail
 * scanner does not know it, and neither does the owner of the mailbox if a stranger registered with
 * the address. Throws `invalid-token`, `invalid-credentials` (five of them
 * end the token), `registration-closed` (which uses nothing up), `rate-limited` and `overloaded`.
 */
export async function confirmAddress(context: Context, actor: Actor, input: Confirmation) {
  const { db, passwords, buckets, devices, passkeys, registration } = context
  const { token, password, presented } = input
  return throttled(context, { wanted: buckets.source(actor.ip) }, async (charge, requireTime) => {
    const waiting = await transaction(db, async (tx) => {
      const found = await findWaiting(tx, token)
      if (found?.registration && registration === 'closed') {
        throw new DomainError('registration-closed')
      }
      return found
    })
    const { id = '', passwordHash } = waiting?.registration ?? waiting?.user ?? {}
    let isWrong = false
    try {
      // Does the same work for an invalid token.
      const matches = await passwords.verify(password, passwordHash)
      if (!waiting) throw new DomainError('invalid-token')
      isWrong = !matches
      if (isWrong) {
        await recordFailure(db, actor, 'auth.confirm-failed', { userId: waiting.user?.id })
        throw new DomainError('invalid-credentials')
      }
      requireTime()
      return await transaction(db, async (tx) => {
        const account = waiting.registration
          ? await confirmRegistration(tx, actor, waiting.registration, token)
          : {
              ...(await confirmUser(tx, actor, await lockUser(tx, id), token)),
              // The version of the credentials that were compared.
              credentialVersion: waiting.user.credentialVersion
            }
        // Planning a deletion invalidates the links of before: this one is of a user who restores.
        const attempt = {
          account,
          proof: byPassword,
          presented,
          charge,
          rpId: passkeys?.rpId,
          restores: true,
          isWatched: true
        }
        const signIn = await startSession(tx, context, asUser(actor, account), attempt)
        if (!signIn) throw new DomainError('invalid-token')
        await bumpUsers(tx, account.id) // session checks show the confirmed address
        await noteConfirmed(tx, buckets, id)
        return signIn.session ? { ...signIn, device: devices.issue(account) } : signIn
      })
    } catch (error) {
      // A wrong password stays counted, also when its record could not be stored.
      if (waiting && !isWrong && isIncapable(error)) {
        await transaction(db, (tx) => returnAttempt(tx, 'confirm', token))
      }
      throw error
    }
  })
}

/** The registration or the user of a link, after counting a try. The user is still there. */
export async function findWaiting(tx: Db, token: string) {
  const { registrationId, userId } = (await countAttempt(tx, 'confirm', token)) ?? {}
  if (registrationId) {
    const [found] = await tx
      .select()
      .from(registrations)
      .where(eq(registrations.id, registrationId))
    return found && { registration: found }
  }
  if (!userId) return undefined
  const { id, passwordHash, credentialVersion, status, deleteAt } = users
  const [found] = await tx
    .select({ id, passwordHash, credentialVersion, status, deleteAt })
    .from(users)
    .where(eq(id, userId))
  return found && isPresent(found) ? { user: found } : undefined
}

/**
 * Creates the account of a registration, and uses up its link, with all registrations of its
 * address locked in a fixed order: of two concurrent confirmations, the second one finds none.
 * Throws `invalid-token`.
 */
export async function confirmRegistration(
  tx: Db,
  actor: Actor,
  { email, emailNormalized, name, passwordHash, locale }: typeof registrations.$inferSelect,
  token: string,
  details?: { provider: string }
) {
  await tx
    .select({ id: registrations.id })
    .from(registrations)
    .where(eq(registrations.emailNormalized, emailNormalized))
    .orderBy(asc(registrations.id))
    .for('update')
  await consumeLinkToken(tx, 'confirm', token)
  const account = { email, emailNormalized, name, passwordHash, locale }
  const made = await insertConfirmed(tx, actor, account, details)
  if (!made) throw new DomainError('invalid-token') // somebody else has the address by now
  return made
}

/**
 * Confirms the address of a user, who is locked before the link is used up, as everything does that
 * ends links. Throws `invalid-token`.
 */
export async function confirmUser(
  tx: Db,
  actor: Actor,
  user: LockedUser | undefined,
  token: string
) {
  const { email } = await consumeLinkToken(tx, 'confirm', token)
  // A link that was sent to another address than the current one proves nothing.
  if (!user || normalizeEmail(email ?? '') !== user.emailNormalized) {
    throw new DomainError('invalid-token')
  }
  await writeUser(tx, user.id, { emailVerifiedAt: sql`now()` })
  await record(tx, asUser(actor, user), 'user.email-verify', { userId: user.id })
  return user
}

/**
 * Creates and records an account with a confirmed address, for which other registrations end.
 * Undefined when the address is registered.
 */
export async function insertConfirmed(
  tx: Db,
  actor: Actor,
  account: Parameters<typeof insertUser>[1],
  details?: { provider: string }
) {
  const { email, emailNormalized } = account
  const id = await insertUser(tx, { ...account, emailVerifiedAt: sql`now()` }, ['user'])
  if (!id) return undefined
  await tx.delete(registrations).where(eq(registrations.emailNormalized, emailNormalized))
  await record(tx, asUser(actor, { id, email }), 'auth.register', {
    userId: id,
    ...(details && { details })
  })
  return { id, email, credentialVersion: 1 }
}
