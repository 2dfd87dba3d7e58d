import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { totp } from '../../../db/schema/second-factors.ts'
import type { FactorMethod } from '../../../db/schema/second-factors.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { SignedInActor } from '../actor.ts'
import { randomBuffer } from '../crypto.ts'
import { requireEnrolmentToken } from '../factors/enrolment.ts'
import { factorsOf } from '../factors/methods.ts'
import { byCode } from '../factors/proofs.ts'
import { requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { replaceRecoveryCodes } from '../factors/recovery-codes.ts'
import { confirmSecret, generatorOf, keepPendingSecret, secretLength } from '../factors/totp.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { notify, factsOf } from '../mail/notices.ts'
import { lockToAddFactor, reportFactor } from './adding-factors.ts'
import { changeSelf } from '../sign-in/confirmed-identity.ts'
import { completeRemoval, endOthers, endWhatCameBefore } from './factor-removal.ts'
import { raiseSession } from '../sign-in/reauthentication.ts'
import { requireSecondFactor } from './second-factor.ts'
import type { Services } from '../sign-in/services.ts'

/**
 * Creates the secret of an authenticator app, which replaces the current one once a code confirms
 * it in the same session. Returns it in the three forms that apps accept. Throws
 * `reauthentication-required` and `email-unverified`.
 */
export async function beginTotp(
  services: Services,
  actor: SignedInActor,
  { issuer }: { issuer: string }
) {
  const { db, sealing } = services
  const secret = randomBuffer(secretLength)
  const label = await transaction(db, async (tx) => {
    const { user } = await lockToAddFactor(tx, services, actor)
    await keepPendingSecret(tx, sealing, actor, secret)
    return user.emailNormalized // in ASCII, which bounds the size of the QR code
  })
  const generator = generatorOf(secret, { issuer, label })
  const uri = generator.toString()
  const { drawQrCode } = await import('../factors/qr-code.ts')
  return { secret: generator.secret.base32, uri, qr: drawQrCode(uri) }
}

/**
 * Puts a new authenticator app into use, from now on at every sign-in. Replaces the recovery codes,
 * and returns them with the session, whose assurance is now 2. If it is the first factor or
 * replaces another app, all other sessions of the user end; with the first, API keys as well.
 * Throws `reauthentication-required`, `email-unverified`, `enrolment-not-begun`,
 * `enrolment-token-required`, `invalid-token` and `wrong-code`.
 * @param token of a link, where a role requires it for the first factor
 */
export async function confirmTotp(
  services: Services,
  actor: SignedInActor,
  { code, token }: { code: string; token?: string }
) {
  const { db, devices, sealing, sessionRules } = services
  return transaction(db, async (tx) => {
    const { user, at } = await lockToAddFactor(tx, services, actor)
    await requireEnrolmentToken(tx, user, token)
    const factors = await factorsOf(tx, user.id)
    await confirmSecret(tx, sealing, actor, { code, at })
    const account = await requireSecondFactor(tx, user)
    const recoveryCodes = await replaceRecoveryCodes(tx, user.id)
    const { revoked, keys } = await endBefore(tx, actor, factors)
    await record(tx, actor, 'user.totp-enrol', { userId: user.id, details: { revoked } })
    const notice = { kind: 'second-factor-added', keys } as const
    await reportFactor(tx, services, actor, { user, at, notice })
    const raised = await raiseSession(tx, sessionRules, actor, byCode)
    return { recoveryCodes, ...raised, device: account && devices.issue(account) }
  })
}

/** Returns the numbers of sessions and API keys that ended. */
async function endBefore(tx: Db, actor: SignedInActor, factors: FactorMethod[]) {
  if (factors.length === 0) return endWhatCameBefore(tx, actor)
  return { revoked: factors.includes('totp') ? await endOthers(tx, actor) : 0, keys: 0 }
}

/**
 * Removes the authenticator app and ends all other sessions of the user, or removes only a secret
 * that was not confirmed. Throws `reauthentication-required` and `last-second-factor`.
 */
export async function removeTotp(services: Services, actor: SignedInActor) {
  const { mail, passkeys, sealing } = services
  await changeSelf(services, actor, async (tx, user) => {
    await requireRecentAuthentication(tx, actor, user)
    await keepPendingSecret(tx, sealing, actor, null)
    const [removed] = await tx
      .delete(totp)
      .where(eq(totp.userId, user.id))
      .returning({ userId: totp.userId })
    if (!removed) return
    const { revoked, lowered } = await completeRemoval(tx, actor, user, passkeys?.rpId)
    await record(tx, actor, 'user.totp-remove', { userId: user.id, details: { revoked } })
    await notify(tx, mail, user, {
      kind: 'second-factor-removed',
      ...factsOf(actor),
      keys: lowered
    })
    await bumpUsers(tx, user.id)
  })
}
