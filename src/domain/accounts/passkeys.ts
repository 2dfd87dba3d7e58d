import { and, eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { mostPasskeys, passkeyNameLength, passkeys } from '../../../db/schema/second-factors.ts'
import { transaction } from '../../../db/transaction.ts'
import { record } from '../activity/record.ts'
import type { SignedInActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { spendChallenge } from '../factors/challenges.ts'
import { factorsOf, requireEnrolmentToken } from '../factors/enrolment.ts'
import { challengeOf, verifyCredential } from '../factors/passkey-verification.ts'
import type { NewCredential } from '../factors/passkey-verification.ts'
import { creationOptions, defaultName, ownPasskey, showPasskey } from '../factors/passkeys.ts'
import { byPasskey, requireRecentAuthentication } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import { changeOwnUser } from '../sign-in/own-account.ts'
import type { PasskeyContext } from '../sign-in/passkey-sign-in.ts'
import { raiseSession } from '../sign-in/reauthentication.ts'
import { requireText } from '../texts.ts'
import {
  completeRemoval,
  endWhatCameBefore,
  lockToAddFactor,
  reportFactor,
  requireSignInMethod
} from './factor-changes.ts'

/** Such as "internal" and "hybrid" (WebAuthn, AuthenticatorTransport). */
const transportForm = /^[a-z-]{1,20}$/

const additionOf = ({ id, sessionId }: SignedInActor) => `passkey-add:${id}:${sessionId}` as const

/**
 * The options with which a browser creates a passkey. Refuses what `addPasskey` would refuse,
 * before the device has created one: throws `reauthentication-required`, `email-unverified` and
 * `too-many-passkeys`.
 */
export async function optionsForNewPasskey(context: PasskeyContext, actor: SignedInActor) {
  const { db, passkeys: rules } = context
  return transaction(db, async (tx) => {
    const { user } = await lockToAddFactor(tx, context, actor)
    await requireRoom(tx, user.id)
    return creationOptions(tx, rules, user, rules.challenges.issue(additionOf(actor)))
  })
}

export const tooManyPasskeys = () =>
  new DomainError('too-many-passkeys', {
    detail:
      `You cannot add another passkey: an account can have at most ${mostPasskeys}. ` +
      'Remove one first.'
  })

/** Throws `too-many-passkeys`. Exact while the user is locked. */
async function requireRoom(tx: Db, userId: string) {
  const count = await tx.$count(passkeys, eq(passkeys.userId, userId))
  if (count >= mostPasskeys) throw tooManyPasskeys()
}

interface NewPasskey {
  credential: NewCredential
  name?: string
  /** For the first factor of a user whose roles require one. */
  token?: string
}

/**
 * Adds a passkey, which raises the session to assurance 2. If it is the first factor, all other
 * sessions and the API keys of the user end. Returns it with the session and its new secret. Throws
 * `invalid-passkey`, `passkey-exists`, `too-many-passkeys`, `reauthentication-required`,
 * `email-unverified`, `enrolment-token-required` and `invalid-token`. The last four do not use up
 * the challenge: the same response can be sent again.
 */
export async function addPasskey(
  context: PasskeyContext,
  actor: SignedInActor,
  { credential, name, token }: NewPasskey
) {
  const { db, passkeys: rules, sessionRules } = context
  const given = name === undefined ? undefined : cleanPasskeyName(name)
  const challenge = challengeOf(rules, additionOf(actor), credential)
  const verified = challenge && (await verifyCredential(rules, credential))
  if (!challenge || !verified) throw new DomainError('invalid-passkey')
  const transports = credential.response.transports ?? []
  return transaction(db, async (tx) => {
    const { user, at } = await lockToAddFactor(tx, context, actor)
    await requireRoom(tx, user.id)
    await requireEnrolmentToken(tx, user, token)
    if ((await spendChallenge(tx, challenge)) !== 'used') throw new DomainError('invalid-passkey')
    const isFirst = (await factorsOf(tx, user.id)).length === 0
    const [created] = await tx
      .insert(passkeys)
      .values({
        id: uuid(),
        userId: user.id,
        ...verified,
        transports: transports.filter((each) => transportForm.test(each)).join(' '),
        rpId: rules.rpId,
        name: given ?? defaultName(verified.aaguid, actor.userAgent),
        createdAt: at
      })
      .onConflictDoNothing()
      .returning(ownPasskey)
    if (!created) throw new DomainError('passkey-exists')
    const { revoked, keys } = isFirst ? await endWhatCameBefore(tx, actor) : { revoked: 0, keys: 0 }
    await record(tx, actor, 'user.passkey-add', {
      userId: user.id,
      details: { name: created.name, revoked }
    })
    await reportFactor(tx, context, actor, { user, at, notice: { kind: 'passkey-added', keys } })
    const raised = await raiseSession(tx, sessionRules, actor, byPasskey(created.deviceType))
    return { ...raised, passkey: showPasskey(created) }
  })
}

const cleanPasskeyName = (text: string) => requireText(text, passkeyNameLength.max, '/name')

const isOwn = (actor: SignedInActor, id: string) =>
  and(eq(passkeys.id, id), eq(passkeys.userId, actor.id))

/** Throws `passkey-not-found`. */
export async function renamePasskey(
  context: PasskeyContext,
  actor: SignedInActor,
  { id, name }: { id: string; name: string }
) {
  const cleaned = cleanPasskeyName(name)
  return changeOwnUser(context, actor, async (tx) => {
    const [renamed] = await tx
      .update(passkeys)
      .set({ name: cleaned })
      .where(isOwn(actor, id))
      .returning(ownPasskey)
    if (!renamed) throw new DomainError('passkey-not-found')
    await record(tx, actor, 'user.passkey-rename', { userId: actor.id, details: { name: cleaned } })
    return showPasskey(renamed)
  })
}

/**
 * Removes a passkey, and ends all other sessions: it may have begun them. Throws
 * `reauthentication-required`, `passkey-not-found`, `last-second-factor` and `last-sign-in-method`.
 */
export async function removePasskey(
  context: PasskeyContext,
  actor: SignedInActor,
  { id }: { id: string }
) {
  await changeOwnUser(context, actor, async (tx, user) => {
    await requireRecentAuthentication(tx, actor, user)
    const [removed] = await tx
      .delete(passkeys)
      .where(isOwn(actor, id))
      .returning({ name: passkeys.name })
    if (!removed) throw new DomainError('passkey-not-found')
    const { revoked, lowered } = await completeRemoval(tx, actor, user, context.passkeys.rpId)
    await requireSignInMethod(tx, context, user.id)
    await record(tx, actor, 'user.passkey-remove', {
      userId: user.id,
      details: { name: removed.name, revoked }
    })
    await notify(tx, context.mail, user, {
      kind: 'passkey-removed',
      ...factsOf(actor),
      keys: lowered
    })
    await bumpUsers(tx, user.id)
  })
}
