import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { passkeys, totp } from '../../../db/schema/second-factors.ts'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { Author, SignedInActor } from '../actor.ts'
import { randomBuffer } from '../crypto.ts'
import { confirmEmailFirst, DomainError, timeIn } from '../errors.ts'
import {
  factorsOf,
  findRequiringRoles,
  needsEnrolmentToken,
  requireEnrolmentToken
} from '../factors/enrolment.ts'
import { byCode, requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../factors/recovery-codes.ts'
import { confirmSecret, generatorOf, keepPendingSecret, secretLength } from '../factors/totp.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { sendLink } from '../mail/links.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { MailService } from '../outbox/enqueue.ts'
import type { Context } from '../sign-in/context.ts'
import { changeOwnUser } from '../sign-in/own-account.ts'
import { raiseSession } from '../sign-in/reauthentication.ts'
import { throttled } from '../throttling/admission.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { normalizeEmail } from '../users/emails.ts'
import { nextCredentials, writeUser } from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import { findEmail } from './emails.ts'
import {
  completeRemoval,
  endOthers,
  endWhatCameBefore,
  lockToAddFactor,
  reportFactor
} from './factor-changes.ts'

/** How a user signs in. */
export async function findSecurity(db: Db, { id }: Pick<SignedInActor, 'id'>) {
  const [found] = await db
    .select({
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      emailVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
      secondFactor: users.secondFactor,
      since: totp.confirmedAt
    })
    .from(users)
    .leftJoin(totp, eq(totp.userId, users.id))
    .where(eq(users.id, id))
  if (!found) throw new DomainError('unauthenticated')
  const { since, ...own } = found
  return {
    ...own,
    totp: since && { since },
    passkeys: await db.$count(passkeys, eq(passkeys.userId, id)),
    recoveryCodesLeft: await countRecoveryCodes(db, id),
    requiredByRoles: await findRequiringRoles(db, id)
  }
}

/**
 * Requires a second factor for signing in with the password. Known devices become unknown: a thief
 * who knows the password may have registered some, and could use up their shared limit. Links
 * to change the address end, because the password alone may have been enough to ask for them.
 * Returns the account for a new device cookie, or undefined when it was required before. Call it
 * with the user locked.
 */
async function requireSecondFactor(tx: Db, user: LockedUser) {
  if (user.secondFactor) return undefined
  await deleteLinkTokens(tx, ['email-change'], { userId: user.id })
  await writeUser(tx, user.id, { secondFactor: true, ...nextCredentials })
  return { id: user.id, credentialVersion: user.credentialVersion + 1 }
}

/**
 * Sets whether signing in with the password requires a second factor. Returns the content of a new
 * device cookie when it does from now on. Throws `reauthentication-required`, `no-second-factor`
 * and `second-factor-required`.
 */
export async function setSecondFactor(
  context: Context,
  actor: SignedInActor,
  { required }: { required: boolean }
) {
  const { devices, mail, passkeys: rules } = context
  return changeOwnUser(context, actor, async (tx, user) => {
    if (user.secondFactor === required) return undefined
    await requireRecentAuthentication(tx, actor, user)
    const usable = await factorsOf(tx, user.id, { rpId: rules?.rpId })
    if (required && usable.length === 0) throw new DomainError('no-second-factor')
    if (!required && (await findRequiringRoles(tx, user.id)).length > 0) {
      throw new DomainError('second-factor-required')
    }
    const account = required ? await requireSecondFactor(tx, user) : undefined
    if (!required) await writeUser(tx, user.id, { secondFactor: false })
    await record(tx, actor, 'user.second-factor', { userId: user.id, details: { required } })
    const kind = required ? 'second-factor-required' : 'second-factor-removed'
    await notify(tx, mail, user, { kind, ...factsOf(actor) })
    await bumpUsers(tx, user.id)
    return account && devices.issue(account)
  })
}

/**
 * Replaces the recovery codes, and returns the new ones. Throws `no-second-factor` and
 * `reauthentication-required`.
 */
export const renewRecoveryCodes = (context: Context, actor: SignedInActor) =>
  changeOwnUser(context, actor, async (tx, user) => {
    if ((await factorsOf(tx, user.id)).length === 0) throw new DomainError('no-second-factor')
    await requireRecentAuthentication(tx, actor, user, 2)
    await record(tx, actor, 'user.recovery-codes', { userId: user.id })
    await notify(tx, context.mail, user, { kind: 'recovery-codes-renewed', ...factsOf(actor) })
    return replaceRecoveryCodes(tx, user.id)
  })

/**
 * Creates the secret of an authenticator app, which replaces the current one once a code confirms
 * it in the same session. Returns it in the three forms that apps accept. Throws
 * `reauthentication-required` and `email-unverified`.
 */
export async function beginTotp(
  context: Context,
  actor: SignedInActor,
  { issuer }: { issuer: string }
) {
  const { db, sealing } = context
  const secret = randomBuffer(secretLength)
  const label = await transaction(db, async (tx) => {
    const { user } = await lockToAddFactor(tx, context, actor)
    await keepPendingSecret(tx, sealing, actor, secret)
    return user.emailNormalized // in ASCII, which bounds the size of the QR code
  })
  const generator = generatorOf(secret, { issuer, label })
  const uri = generator.toString()
  const { drawQrCode } = await import('../factors/totp.ts')
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
  context: Context,
  actor: SignedInActor,
  { code, token }: { code: string; token?: string }
) {
  const { db, devices, sealing, sessionRules } = context
  return transaction(db, async (tx) => {
    const { user, at } = await lockToAddFactor(tx, context, actor)
    await requireEnrolmentToken(tx, user, token)
    const factors = await factorsOf(tx, user.id)
    await confirmSecret(tx, sealing, actor, { code, at })
    const account = await requireSecondFactor(tx, user)
    const recoveryCodes = await replaceRecoveryCodes(tx, user.id)
    const { revoked, keys } =
      factors.length === 0
        ? await endWhatCameBefore(tx, actor)
        : { revoked: factors.includes('totp') ? await endOthers(tx, actor) : 0, keys: 0 }
    await record(tx, actor, 'user.totp-enrol', { userId: user.id, details: { revoked } })
    const notice = { kind: 'second-factor-added', keys } as const
    await reportFactor(tx, context, actor, { user, at, notice })
    const raised = await raiseSession(tx, sessionRules, actor, byCode)
    return { recoveryCodes, ...raised, device: account && devices.issue(account) }
  })
}

/**
 * Removes the authenticator app and ends all other sessions of the user, or removes only a secret
 * that was not confirmed. Throws `reauthentication-required` and `last-second-factor`.
 */
export async function removeTotp(context: Context, actor: SignedInActor) {
  const { mail, passkeys, sealing } = context
  await changeOwnUser(context, actor, async (tx, user) => {
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

// Links for the first second factor of users whose roles require one.

/**
 * Sends a link to the confirmed address of the actor. Throws `mail-off`, `email-unverified`,
 * `enrolment-link-not-needed`, `enrolment-link-waits` and `rate-limited`.
 */
export async function requestEnrolmentLink(context: Context, actor: SignedInActor) {
  const { db, mail, buckets } = context
  const { arrived } = actor
  if (!mail) throw new DomainError('mail-off')
  const { email, verified } = await findEmail(db, actor)
  await requireUse(db, actor, verified)
  await requireNoRecovery(db, actor) // before the request counts
  const wanted = buckets.ownMail(actor.ip, normalizeEmail(email) ?? '')
  await throttled(context, { wanted, findUser: async () => actor.id, arrived }, () =>
    changeOwnUser(context, actor, (tx, user) => sendEnrolmentLink(tx, mail, actor, user))
  )
}

/**
 * Call it with the user locked. Throws `email-unverified`, `enrolment-link-not-needed` and
 * `enrolment-link-waits`.
 */
export async function sendEnrolmentLink(tx: Db, mail: MailService, by: Author, user: LockedUser) {
  await requireUse(tx, user, user.emailVerifiedAt !== null)
  await requireNoRecovery(tx, user)
  await sendLink(tx, mail, 'factor-enrolment', user)
  await recordLink(tx, by, user)
}

/** Throws `enrolment-link-not-needed` and `email-unverified`. */
export async function requireUse(db: Db, user: { id: string }, verified = true) {
  if (!(await needsEnrolmentToken(db, user))) throw new DomainError('enrolment-link-not-needed')
  if (!verified) throw confirmEmailFirst()
}

/** How long a new password by mail keeps further links out of the same mailbox. */
const recoverySeconds = 72 * 3600

/**
 * The mailbox alone must not lead to a role that requires two factors. Throws
 * `enrolment-link-waits`.
 */
async function requireNoRecovery(db: Db, { id }: { id: string }) {
  const [user] = await db
    .select({
      ago: sql`extract(epoch from now() - ${users.recoveredAt})::float8`.mapWith(Number)
    })
    .from(users)
    .where(and(eq(users.id, id), isNotNull(users.recoveredAt)))
  const left = Math.ceil(recoverySeconds - (user?.ago ?? recoverySeconds))
  if (left <= 0) return
  throw new DomainError('enrolment-link-waits', {
    detail:
      'The password was set with a link from a mail in the last 72 hours, and the mailbox alone ' +
      `is not enough. Ask an administrator for a link, or ask again after ${timeIn(left)}.`,
    retryAfter: left
  })
}

export const recordLink = (tx: Db, by: Author, { id }: LockedUser) =>
  record(tx, by, 'user.enrolment-link', { userId: id })
