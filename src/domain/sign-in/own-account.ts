import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { Action } from '../../../db/schema/actions.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { recordFailure } from '../activity/record.ts'
import { isSessionOf } from '../actor.ts'
import type { SignedInActor } from '../actor.ts'
import { DomainError, invalidFields } from '../errors.ts'
import { neededAssurance, requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { isInUse } from '../sessions/sessions.ts'
import type { SessionRules } from '../sessions/sessions.ts'
import { isIncapable, throttled } from '../throttling/admission.ts'
import { giveBackAfterError } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { commitInTime, timeLimit } from '../time-left.ts'
import { lockUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import type { Context } from './context.ts'
import { requireProvided } from './session-provider.ts'

interface Confirmation {
  /** Undefined when a recent authentication replaces it. */
  password: string | undefined
  /** Recorded as failed when the password is wrong. */
  action: Action
  /** To change the password: it is required even after a recent authentication, if there is one. */
  needsPassword?: boolean
}

type Confirming = Pick<LockedUser, 'id' | 'secondFactor' | 'emailNormalized' | 'emailVerifiedAt'>

interface Confirmed {
  charge: Charge
  /** Arrival of the request, from performance.now(). */
  arrived: number
  /** Throws `overloaded` when too little time is left for a change. Call it after a wait. */
  requireTime(): void
  /** The version of the credentials that were compared. */
  credentialVersion: number
  /**
   * Locks the user and checks again: still active, in an active session, with the credentials that
   * were compared. Throws `unauthenticated`, `wrong-password` and `reauthentication-required`.
   */
  lock(tx: Db): Promise<LockedUser>
}

/**
 * Does work for which a signed-in user must confirm who they are: with the password, or with a
 * recent authentication. An account that needs a second factor always requires the recent
 * authentication, and without one the password is not even compared: the result would reveal to a
 * thief whether it is right. Nor is that of a user who must sign in with a provider. The comparison
 * comes before the transaction, because no transaction waits for a hash; `lock` repeats the checks
 * within it. Throws `wrong-password`, `reauthentication-required`, `provider-required`,
 * `rate-limited` and `overloaded`.
 */
export async function confirmOwnUser<T>(
  context: Context,
  actor: SignedInActor,
  { password, action, needsPassword = false }: Confirmation,
  work: (confirmed: Confirmed) => Promise<T>
) {
  const { db, passwords, buckets, sessionRules } = context
  const { arrived = performance.now() } = actor
  const account = await findOwnUser(db, actor)
  const { passwordHash, credentialVersion } = account
  const compares = password !== undefined || (needsPassword && passwordHash !== null)
  const requireProof = async (db: Db, user: Confirming) => {
    if (compares || needsPassword) requireProvided(context.providers, user)
    const least = await neededAssurance(db, user)
    if (least === 2 || !compares) await requireRecentAuthentication(db, actor, user, least)
  }
  const lock = async (tx: Db) => {
    const user = await lockOwnUser(tx, actor, sessionRules)
    await requireProof(tx, user)
    if (user.credentialVersion !== credentialVersion) throw new DomainError('wrong-password')
    return user
  }
  await requireProof(db, account)
  const confirmed = { arrived, requireTime: timeLimit(arrived), credentialVersion, lock }
  if (!compares) return work({ ...confirmed, charge: [] })
  if (password === undefined) throw missingPassword()

  const counted = {
    wanted: needsPassword
      ? buckets.newPassword(account.id, actor.sessionId)
      : buckets.password(account.id, actor.sessionId),
    known: buckets.known(account.id, actor.ip, actor.sessionId),
    findUser: async () => account.id,
    arrived
  }
  return throttled(context, counted, async (charge, requireTime) => {
    if (await passwords.verify(password, passwordHash ?? undefined, 'known')) {
      requireTime()
      return work({ ...confirmed, charge }).catch(async (error: unknown) => {
        // A right password costs nothing, but the rejected transaction has rolled the refund back.
        if (isRefusal(error)) await giveBackAfterError(db, charge, 'success')
        throw error
      })
    }
    await recordFailure(db, actor, action, { reason: 'wrong-password', userId: account.id })
    throw new DomainError('wrong-password')
  })
}

/**
 * Whether the work was refused, rather than the password, which may have changed since it was
 * compared.
 */
const isRefusal = (error: unknown) =>
  error instanceof DomainError && error.code !== 'wrong-password' && !isIncapable(error)

const missingPassword = () =>
  invalidFields({ pointer: '/currentPassword', code: 'required', message: 'Is missing' })

/**
 * Reads the account of the actor before a password or code is compared: with a secret that was
 * replaced, not even the attempt counts. Throws `unauthenticated`.
 */
export async function findOwnUser(db: Db, actor: SignedInActor) {
  const [account] = await db
    .select({
      id: users.id,
      secondFactor: users.secondFactor,
      emailNormalized: users.emailNormalized,
      emailVerifiedAt: users.emailVerifiedAt,
      passwordHash: users.passwordHash,
      credentialVersion: users.credentialVersion
    })
    .from(users)
    .innerJoin(sessions, isSessionOf(actor))
    .where(eq(users.id, actor.id))
  if (!account) throw new DomainError('unauthenticated')
  return account
}

/** Runs a change of the actor's own account, after `lockOwnUser`. Throws `unauthenticated`. */
export const changeOwnUser = <T>(
  { db, sessionRules }: Pick<Context, 'db' | 'sessionRules'>,
  actor: SignedInActor,
  change: (tx: Db, user: LockedUser) => Promise<T>
) => transaction(db, async (tx) => change(tx, await lockOwnUser(tx, actor, sessionRules)))

/**
 * Locks the actor and checks again that they are active and their session is, with the secret that
 * came with the request: all may have changed since it was admitted. Throws `unauthenticated`.
 */
export async function lockOwnUser(tx: Db, actor: SignedInActor, { idleSeconds }: SessionRules) {
  commitInTime(tx, actor)
  const user = await lockUser(tx, actor.id)
  const live = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(isSessionOf(actor), isInUse(idleSeconds)))
  if (user?.status !== 'active' || live.length === 0) throw new DomainError('unauthenticated')
  return user
}
