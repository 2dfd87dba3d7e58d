import type { Db } from '../../../db/engine.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import { asUser } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { findMethods } from '../factors/enrolment.ts'
import { endPendingLogin, findPendingLogin, tryPendingLogin } from '../factors/pending-logins.ts'
import { afterProvider, byRecoveryCode, byTotp } from '../factors/recent-authentication.ts'
import { countRecoveryCodes, spendRecoveryCode } from '../factors/recovery-codes.ts'
import { spendCode } from '../factors/totp.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import { countRecent } from '../outbox/list.ts'
import type { SessionToken } from '../sessions/sessions.ts'
import { throttled } from '../throttling/admission.ts'
import { guessesUntilSlow } from '../throttling/buckets.ts'
import { giveBack } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { isPresent, lockUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import type { Context } from './context.ts'
import { cannotLink, meansOf, providerOfSignIn } from './session-provider.ts'
import { startSession } from './start-session.ts'

/** The user enters one of the two. */
interface SecondFactor {
  code?: string
  recoveryCode?: string
}

interface SecondStep {
  /** The content of the login cookie. */
  login: string | undefined
  factor: SecondFactor
  /** The device cookie of an earlier login in this browser. */
  device: string | undefined
  /** The verified session tokens of the request. The login replaces their sessions. */
  presented: SessionToken[]
}

/**
 * The sign-in that waits for its second factor in this browser. Throws `login-expired`.
 * @param login the content of the login cookie
 */
export async function showPendingLogin(
  { db, passkeys }: Pick<Context, 'db' | 'passkeys'>,
  login: string | undefined
) {
  const account = login === undefined ? undefined : await findPendingLogin(db, login)
  if (!account) throw new DomainError('login-expired')
  const methods = await findMethods(db, account.id, { rpId: passkeys?.rpId })
  return { next: 'second-factor' as const, methods, expiresAt: account.expiresAt }
}

/**
 * Completes a sign-in with the second factor. Returns the session with its user, its secret and the
 * content of the device cookie. Throws `login-expired`, `invalid-code`, `rate-limited` and
 * `second-factor-unreadable`.
 */
export async function completeSignIn(context: Context, actor: Actor, input: SecondStep) {
  const { db, buckets, devices, mail, sealing } = context
  const { arrived } = actor
  const { login, factor } = input
  const account = login === undefined ? undefined : await findPendingLogin(db, login)
  if (login === undefined || !account) throw new DomainError('login-expired')
  const nonce = devices.nonceFor(account, input.device)
  const counted = {
    wanted: buckets.secondFactor(account.id, nonce),
    known: nonce === undefined ? undefined : buckets.known(account.id, actor.ip),
    findUser: async () => account.id,
    arrived
  }
  return throttled(context, counted, async (paid) => {
    const result = await transaction(db, async (tx) => {
      const user = await lockUser(tx, account.id)
      const begun = await tryPendingLogin(tx, login)
      const isOpen = begun && user && isPresent(user)
      if (!isOpen || begun.credentialVersion !== user.credentialVersion) {
        await giveBack(tx, paid, 'refused') // no code was compared
        return 'expired'
      }
      const self = asUser(actor, user)
      const proof =
        factor.code === undefined
          ? (await spendRecoveryCode(tx, user.id, factor.recoveryCode ?? '')) && byRecoveryCode
          : (await spendCode(tx, sealing, user.id, factor.code)) && byTotp
      if (!proof) {
        await reportWrongCode(tx, mail, self, user, paid)
        return 'wrong'
      }
      if (proof === byRecoveryCode) {
        await record(tx, self, 'user.recovery-code-use', { userId: user.id })
        const left = await countRecoveryCodes(tx, user.id)
        await notify(tx, mail, user, { kind: 'recovery-code-used', left, ...factsOf(actor) })
      }
      const charge = [...begun.charge, ...paid]
      const provided = await providerOfSignIn(tx, context.providers, user, begun)
      if (begun.providerAccountId && !provided) return 'expired'
      const attempt = {
        account,
        proof: provided ? afterProvider(proof) : proof,
        presented: input.presented,
        charge,
        provided,
        // Planning a deletion ends the sign-ins of before: this one is of a user who restores.
        restores: true,
        onNewDevice: nonce === undefined ? meansOf(provided) : undefined
      }
      const session = await startSession(tx, context, self, attempt)
      if (!session?.session) return 'expired'
      await endPendingLogin(tx, login)
      return { ...session, device: devices.issue(account, nonce) }
    }).catch((error: unknown) => {
      throw cannotLink(error) ? new DomainError('login-expired') : error
    })
    if (result === 'expired') throw new DomainError('login-expired')
    if (result === 'wrong') throw new DomainError('invalid-code')
    return result
  })
}

/**
 * Records a wrong code. From 20 in a row on, the owner gets a mail, at most one a day: somebody who
 * knows the password is guessing (OWASP ASVS 6.3.5). Call it with the user locked. The caller must
 * not roll back.
 */
export async function reportWrongCode(
  tx: Db,
  mail: Context['mail'],
  actor: Actor,
  user: LockedUser,
  charge: Charge
) {
  await record(tx, actor, 'auth.second-factor', {
    outcome: 'failure',
    reason: 'wrong-code',
    userId: user.id
  })
  const kind = 'second-factor-guessed'
  if (!charge.some(({ fails = 0 }) => fails >= guessesUntilSlow)) return
  if ((await countRecent(tx, user.id, kind)) > 0) return
  await notify(tx, mail, user, { kind, ...factsOf(actor) })
}
