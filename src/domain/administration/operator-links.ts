import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { providerAccounts } from '../../../db/schema/provider-accounts.ts'
import { passkeys } from '../../../db/schema/second-factors.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { authorizedOn } from '../access/authorize.ts'
import { findOwner, writePassword } from '../accounts/recovery-links.ts'
import { recordLink, requireUse, sendEnrolmentLink } from '../accounts/second-factor.ts'
import { record } from '../activity/record.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { sendLink } from '../mail/links.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { MailService, Recipient } from '../outbox/enqueue.ts'
import { refuseManaged } from '../providers/provider.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { createLinkToken } from '../tokens/tokens.ts'

// Links for an operator to pass on have no address: they were not sent by mail, so using them
// confirms no mailbox.

interface NewLink {
  userId: string
  /** Seconds. */
  expiresIn: number
}

/**
 * Creates a link with which a user sets a new password, so that nobody but the user chooses the
 * password (OWASP ASVS 6.4.6). Throws `user-deactivated`.
 */
export const createResetLink = (db: Db, actor: Actor, input: NewLink) =>
  authorizedOn(db, actor, 'users:update', { id: input.userId }, async (tx, by, target) => {
    if (target.status !== 'active') throw new DomainError('user-deactivated')
    return addResetLink(tx, by, input)
  })

/** Call it in a transaction that has locked the user, or has just created them. */
export async function addResetLink(tx: Db, by: AuthorizedActor, input: NewLink) {
  const link = await addLink(tx, 'password-reset', input)
  await record(tx, by, 'user.reset-link', { userId: input.userId })
  return link
}

/**
 * Creates a link with which a user sets up the first second factor, where no mail is sent. Throws
 * `user-deactivated` and `enrolment-link-not-needed`.
 */
export const createEnrolmentLink = (db: Db, actor: Actor, input: NewLink) =>
  authorizedOn(db, actor, 'users:update', { id: input.userId }, async (tx, by, target) => {
    if (target.status !== 'active') throw new DomainError('user-deactivated')
    await requireUse(tx, target)
    const link = await addLink(tx, 'factor-enrolment', input)
    await recordLink(tx, by, target)
    return link
  })

/**
 * Mails a user a link: to set the first password or a new one, to set up the first second factor,
 * or to confirm the address. Nobody else sees it. Throws `mail-off`, `user-deactivated`,
 * `provider-required`, `invitation-accepted`, `email-verified`, `reauthentication-required` for the
 * account of the actor, and like sendEnrolmentLink.
 */
export async function mailUserLink(
  { db, mail, providers }: Pick<Context, 'db' | 'mail' | 'providers'>,
  actor: Actor,
  { userId, kind }: { userId: string; kind: 'invitation' | 'recovery' | 'enrolment' | 'confirm' }
) {
  if (!mail) throw new DomainError('mail-off')
  return authorizedOn(db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    if (target.status !== 'active') throw new DomainError('user-deactivated')
    await requireProofIfOwn(tx, by, target)
    if (kind === 'enrolment') return sendEnrolmentLink(tx, mail, by, target)
    refuseManaged(providers, target.emailNormalized)
    if (kind === 'invitation') {
      if (await canSignIn(tx, userId)) throw new DomainError('invitation-accepted')
      return sendInvitation(tx, mail, by, target)
    }
    if (kind === 'confirm') {
      if (target.emailVerifiedAt) throw new DomainError('email-verified')
      await sendLink(tx, mail, 'confirm', target)
      return record(tx, by, 'user.confirm-link', { userId })
    }
    // A stranger may have registered with the address, and chosen the name.
    await sendLink(tx, mail, 'recovery', target.emailVerifiedAt ? target : { ...target, name: '' })
    await record(tx, by, 'user.reset-link', { userId })
  })
}

type Invited = Omit<Recipient, 'emailVerifiedAt'>

/** Mails a user whose account somebody else has created a link to set the first password. */
export async function sendInvitation(
  tx: Db,
  mail: MailService,
  by: AuthorizedActor,
  user: Invited
) {
  await sendLink(tx, mail, 'invitation', user)
  await record(tx, by, 'user.invite', { userId: user.id })
}

/** Whether a user has a password, a passkey, or an account at a provider. */
export async function canSignIn(db: Db, userId: string) {
  const hasPassword = and(eq(users.id, userId), isNotNull(users.passwordHash))
  return (
    (await db.$count(users, hasPassword)) > 0 ||
    (await db.$count(passkeys, eq(passkeys.userId, userId))) > 0 ||
    (await db.$count(providerAccounts, eq(providerAccounts.userId, userId))) > 0
  )
}

async function addLink(
  tx: Db,
  purpose: 'password-reset' | 'factor-enrolment',
  { userId, expiresIn }: NewLink
) {
  const link = await createLinkToken(tx, { purpose, owner: { userId }, expiresIn })
  if (!link) throw new DomainError('user-not-found')
  return link
}

/**
 * Sets the password of a user for an operator, and ends all sessions of the user. Throws
 * `exceeds-own-permissions`, for the operator's own account `reauthentication-required`, and a
 * refusal that names `password`.
 */
export async function setPassword(
  { db, passwords, mail }: Pick<Context, 'db' | 'passwords' | 'mail'>,
  actor: Actor,
  { userId, password }: { userId: string; password: string }
) {
  await passwords.check(password, 'password', await findOwner(db, userId))
  const passwordHash = await passwords.hash(password, 'known')
  await authorizedOn(db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    await writePassword(tx, target.id, passwordHash)
    const { length: revoked } = await revoke(tx, 'password-change', eq(sessions.userId, target.id))
    await record(tx, by, 'user.password-set', { userId: target.id, details: { revoked } })
    await notify(tx, mail, target, { kind: 'password-changed', ...factsOf(by) })
    await bumpUsers(tx, target.id)
  })
}
