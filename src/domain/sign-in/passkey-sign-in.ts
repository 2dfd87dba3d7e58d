import type { Db } from '../../../db/engine.ts'
import { transaction } from '../../../db/transaction.ts'
import { recordFailure } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor, SignedInActor } from '../actor.ts'
import { passkeyRefused, unknownPasskey, wrongPasskey } from '../factors/errors.ts'
import { challengeOf, verifyAssertion } from '../factors/passkey-verification.ts'
import type { Assertion, PasskeyRules } from '../factors/passkey-verification.ts'
import { findPasskey, ownRequestOptions } from '../factors/passkeys.ts'
import { takePendingLogin } from '../factors/pending-logins.ts'
import { afterProvider, byPasskey } from '../factors/proofs.ts'
import type { SessionToken } from '../sessions/sessions.ts'
import { throttled } from '../throttling/admission.ts'
import { lockUser } from '../users/lock.ts'
import { isPresent, plannedDeletion } from '../users/presence.ts'
import { changeSelf, findSelf } from './confirmed-identity.ts'
import { cannotLink } from './automatic-links.ts'
import { usePasskey } from './passkey-use.ts'
import type { Misuse } from './passkey-use.ts'
import { raiseSession } from './reauthentication.ts'
import { refusePending } from './restoration.ts'
import type { Services } from './services.ts'
import { refuseUnverified } from './password-sign-in.ts'
import { meansOf, providerOfSignIn } from './session-provider.ts'
import { startSession } from './start-session.ts'

/** The services of a portal where passkeys are on. */
export type PasskeyServices = Services & { passkeys: PasskeyRules }

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
  services: PasskeyServices,
  actor: Actor,
  { credential, device, login, presented, restore }: PasskeySignIn
) {
  const { db, buckets, devices, mail, passkeys: rules } = services
  return throttled(services, { wanted: buckets.passkey(actor.ip) }, async (paid) => {
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
      const provided = await providerOfSignIn(tx, services.providers, user, waiting)
      const proof = byPasskey(passkey.deviceType)
      const means = provided ? meansOf(provided) : ({ method: 'passkey' } as const)
      const session = await startSession(tx, services, asUser(actor, user), {
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
      throw cannotLink(error) ? passkeyRefused() : error
    })
    if ('reason' in result) return refuse(db, actor, result.reason, userId)
    if ('pending' in result) {
      throw await refusePending(services, actor, { ...result.pending, paid })
    }
    if ('unverified' in result) {
      if (!mail) throw passkeyRefused()
      const account = result.unverified
      throw await refuseUnverified({ ...services, mail }, actor, { account, paid })
    }
    return result
  })
}

type Reason = Misuse | 'wrong-challenge' | 'wrong-passkey' | 'deactivated'

/** Records the failure and throws the refusal. */
async function refuse(db: Db, actor: Actor, reason: Reason, userId?: string): Promise<never> {
  await recordFailure(db, actor, 'auth.login', { reason, userId })
  throw reason === 'unknown-passkey' ? unknownPasskey() : passkeyRefused()
}

const proofOf = ({ id, sessionId }: SignedInActor) => `passkey-prove:${id}:${sessionId}` as const

/** The options with which a browser lets the user authenticate again. Throws `unauthenticated`. */
export async function optionsForProof(
  { db, passkeys: rules }: PasskeyServices,
  actor: SignedInActor
) {
  const { id } = await findSelf(db, actor)
  return ownRequestOptions(db, rules, id, rules.challenges.issue(proofOf(actor)))
}

/**
 * Authenticates again with a passkey. Returns the session and its new secret. Throws
 * `wrong-passkey`.
 */
export async function provePasskey(
  services: Services,
  actor: SignedInActor,
  credential: Assertion
) {
  const { db, mail, passkeys: rules, sessionRules } = services
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
    (await changeSelf(services, actor, async (tx, user) => {
      const use = await usePasskey(tx, mail, actor, user, { passkey, challenge, assertion })
      if (use !== 'used') return use
      return raiseSession(tx, sessionRules, actor, byPasskey(passkey.deviceType))
    }))
  if (typeof result === 'object') return result
  const reason = result ?? 'wrong-passkey'
  await recordFailure(db, actor, 'auth.second-factor', { reason, userId: actor.id })
  throw wrongPasskey()
}
