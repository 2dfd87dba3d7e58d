import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys } from '../../../db/schema/second-factors.ts'
import type { PasskeyRow } from '../../../db/schema/second-factors.ts'
import { transaction } from '../../../db/transaction.ts'
import { record, recordFailure } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor, SignedInActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { spendChallenge } from '../factors/challenges.ts'
import type { Challenge } from '../factors/challenges.ts'
import { challengeOf, verifyAssertion } from '../factors/passkey-verification.ts'
import type { Assertion, PasskeyRules } from '../factors/passkey-verification.ts'
import { findPasskey, ownRequestOptions } from '../factors/passkeys.ts'
import { takePendingLogin } from '../factors/pending-logins.ts'
import { afterProvider, byPasskey } from '../factors/recent-authentication.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { MailService } from '../outbox/enqueue.ts'
import { countRecent } from '../outbox/list.ts'
import type { SessionToken } from '../sessions/sessions.ts'
import { throttled } from '../throttling/admission.ts'
import { isPresent, lockUser, plannedDeletion } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import type { Context } from './context.ts'
import { changeOwnUser, findOwnUser } from './own-account.ts'
import { refuseUnverified } from './password-sign-in.ts'
import { raiseSession } from './reauthentication.ts'
import { refusePending } from './restoration.ts'
import { cannotLink, meansOf, providerOfSignIn } from './session-provider.ts'
import { startSession } from './start-session.ts'

/** The context of a portal where passkeys are on. */
export type PasskeyContext = Context & { passkeys: PasskeyRules }

interface PasskeySignIn {
  credential: Assertion
  /** The device cookie of an earlier login in this browser. */
  device: string | undefined
  /** The content of the login cookie: a sign-in that waits for the second factor. */
  login: string | undefined
  /** The verified session tokens of the request. The login replaces their sessions. */
  presented: SessionToken[]
  /** Whether to restore an account whose deletion is planned. */
  restore?: boolean | undefined
}

/**
 * Signs in with a passkey, which is two factors. Returns the session with its user, its secret and
 * the content of the device cookie. Throws `unknown-passkey`, so that an app can have it deleted;
 * the same `passkey-refused` for everything else; `deletion-pending`, `email-unverified` and
 * `rate-limited`.
 */
export async function signInWithPasskey(
  context: PasskeyContext,
  actor: Actor,
  { credential, device, login, presented, restore }: PasskeySignIn
) {
  const { db, buckets, devices, mail, passkeys: rules } = context
  return throttled(context, { wanted: buckets.source(actor.ip) }, async (paid) => {
    const challenge = challengeOf(rules, 'passkey-login', credential)
    if (!challenge) return refuse(db, actor, 'wrong-challenge')
    const passkey = await findPasskey(db, credential.id)
    if (!passkey) return refuse(db, actor, 'unknown-passkey')
    const { userId } = passkey
    const assertion = await verifyAssertion(rules, { credential, passkey, isNamed: true })
    if (!assertion) return refuse(db, actor, 'wrong-passkey', userId)

    const result = await transaction(db, async (tx) => {
      const user = await lockUser(tx, userId)
      if (!user) return { reason: 'unknown-passkey' as const }
      if (!isPresent(user)) return { reason: 'deactivated' as const }
      const use = await usePasskey(tx, mail, actor, user, { passkey, challenge, assertion })
      if (use !== 'used') return { reason: use }
      const isUnverified = mail?.verification === 'required' && !user.emailVerifiedAt
      const deleteAt = plannedDeletion(user)
      if (isUnverified && !deleteAt) return { unverified: user }
      const waiting = login === undefined ? undefined : await takePendingLogin(tx, login, userId)
      // A sign-in that waits has begun with `restore`: planning a deletion ends those of before.
      const restores = restore === true || waiting !== undefined
      if (deleteAt && !restores) return { pending: { account: user, deleteAt } }
      if (isUnverified) return { unverified: user }

      const nonce = devices.nonceFor(user, device)
      const provided = await providerOfSignIn(tx, context.providers, user, waiting)
      const proof = byPasskey(passkey.deviceType)
      const means = provided ? meansOf(provided) : ({ method: 'passkey' } as const)
      const session = await startSession(tx, context, asUser(actor, user), {
        account: user,
        proof: provided ? afterProvider(proof) : proof,
        presented,
        charge: [...(waiting?.charge ?? []), ...paid],
        provided,
        restores,
        onNewDevice: nonce === undefined ? means : undefined
      })
      if (!session?.session) throw new Error('a locked user could not sign in')
      return { ...session, device: devices.issue(user, nonce) }
    }).catch((error: unknown) => {
      throw cannotLink(error) ? new DomainError('passkey-refused') : error
    })
    if ('reason' in result) return refuse(db, actor, result.reason, userId)
    if ('pending' in result) {
      throw await refusePending(context, actor, { ...result.pending, paid })
    }
    if ('unverified' in result) {
      throw await refuseUnverified(context, actor, { account: result.unverified, paid })
    }
    return result
  })
}

type Reason = Misuse | 'wrong-challenge' | 'wrong-passkey' | 'deactivated'

/** Records the failure and throws the refusal. */
async function refuse(db: Db, actor: Actor, reason: Reason, userId?: string): Promise<never> {
  await recordFailure(db, actor, 'auth.login', { reason, userId })
  throw reason === 'unknown-passkey'
    ? new DomainError('unknown-passkey')
    : new DomainError('passkey-refused')
}

const proofOf = ({ id, sessionId }: SignedInActor) => `passkey-prove:${id}:${sessionId}` as const

/** The options with which a browser lets the user authenticate again. Throws `unauthenticated`. */
export async function optionsForProof(
  { db, passkeys: rules }: PasskeyContext,
  actor: SignedInActor
) {
  const { id } = await findOwnUser(db, actor)
  return ownRequestOptions(db, rules, id, rules.challenges.issue(proofOf(actor)))
}

/**
 * Authenticates again with a passkey. Returns the session and its new secret. Throws
 * `wrong-passkey`.
 */
export async function provePasskey(context: Context, actor: SignedInActor, credential: Assertion) {
  const { db, mail, passkeys: rules, sessionRules } = context
  const challenge = rules && challengeOf(rules, proofOf(actor), credential)
  const passkey = challenge && (await findPasskey(db, credential.id))
  const assertion =
    passkey?.userId === actor.id
      ? rules && (await verifyAssertion(rules, { credential, passkey, isNamed: false }))
      : undefined
  const result =
    challenge &&
    passkey &&
    assertion &&
    (await changeOwnUser(context, actor, async (tx, user) => {
      const use = await usePasskey(tx, mail, actor, user, { passkey, challenge, assertion })
      if (use !== 'used') return use
      return raiseSession(tx, sessionRules, actor, byPasskey(passkey.deviceType))
    }))
  if (typeof result === 'object') return result
  const reason = result ?? 'wrong-passkey'
  await recordFailure(db, actor, 'auth.second-factor', { reason, userId: actor.id })
  throw new DomainError('wrong-passkey')
}

interface Use {
  passkey: Pick<PasskeyRow, 'id'>
  challenge: Challenge
  assertion: Pick<PasskeyRow, 'counter' | 'deviceType' | 'backedUp'>
}

/** Why a verified assertion is not accepted. */
type Misuse = 'unknown-passkey' | 'repeated' | 'expired-challenge' | 'other-device-type' | 'copied'

/**
 * Accepts a verified assertion, in the transaction of what it allows and with the user locked. A
 * counter that did not grow means that somebody has a copy of the key: the owner gets a mail, at
 * most one a day, and the passkey stays, because the device may have been restored from a backup.
 * Whether a key can be copied to other devices never changes (WebAuthn level 3, 7.2). The caller
 * must not roll back after a rejection, so that no assertion is checked twice.
 */
async function usePasskey(
  tx: Db,
  mail: MailService | undefined,
  actor: Actor,
  user: LockedUser,
  { passkey, challenge, assertion }: Use
): Promise<'used' | Misuse> {
  const [stored] = await tx
    .select({ counter: passkeys.counter, deviceType: passkeys.deviceType, name: passkeys.name })
    .from(passkeys)
    .where(eq(passkeys.id, passkey.id))
    .for('no key update')
  if (!stored) return 'unknown-passkey'
  const spent = await spendChallenge(tx, challenge)
  if (spent !== 'used') return spent === 'expired' ? 'expired-challenge' : spent
  const { counter, deviceType, backedUp } = assertion
  if (deviceType !== stored.deviceType) return 'other-device-type'
  if (stored.counter > 0 && counter <= stored.counter) {
    await record(tx, asUser(actor, user), 'auth.passkey-clone', {
      outcome: 'failure',
      userId: user.id,
      details: { name: stored.name }
    })
    const kind = 'passkey-copied'
    if ((await countRecent(tx, user.id, kind)) === 0) {
      await notify(tx, mail, user, { kind, ...factsOf(actor) })
    }
    return 'copied'
  }
  await tx
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: sql`now()` })
    .where(eq(passkeys.id, passkey.id))
  return 'used'
}

/** For routes that exist only where passkeys are on. */
export function requirePasskeys(context: Context): PasskeyContext {
  const { passkeys } = context
  if (!passkeys) throw new Error('a route of passkeys was loaded while they are off')
  return { ...context, passkeys }
}
