import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import type { UserRow } from '../../../db/schema/users.ts'
import { authorized, authorizedOn } from '../access/authorize.ts'
import { requireOtherAdmin } from '../access/last-admin.ts'
import { removeUser, requireOwnAddress } from '../accounts/deletion.ts'
import { cleanChanges, writeChanges } from '../accounts/profile-changes.ts'
import type { Changes } from '../accounts/profile-changes.ts'
import { record } from '../activity/record.ts'
import type { Actor, AuthorizedActor, CommandLine } from '../actor.ts'
import { checkAll, DomainError, requireRevision } from '../errors.ts'
import type { Expected } from '../errors.ts'
import { endPendingLogins } from '../factors/pending-logins.ts'
import { requireProofIfOwn } from '../factors/recent-authentication.ts'
import { bumpUsers } from '../freshness/epochs.ts'
import { revertPurposes } from '../mail/links.ts'
import { factsOf, notify } from '../outbox/enqueue.ts'
import type { MailService } from '../outbox/enqueue.ts'
import type { SystemRole } from '../permissions.ts'
import { revoke } from '../sessions/sessions.ts'
import type { Context } from '../sign-in/context.ts'
import { cancelDeletion } from '../sign-in/restoration.ts'
import { cleanName } from '../texts.ts'
import { linkLifetimes } from '../tokens/lifetimes.ts'
import { deleteLinkTokens } from '../tokens/tokens.ts'
import { requireEmail } from '../users/emails.ts'
import {
  findUser,
  insertUser,
  lockUser,
  plannedDeletion,
  userRevision,
  writeUser
} from '../users/users.ts'
import type { LockedUser } from '../users/users.ts'
import { addResetLink, sendInvitation } from './operator-links.ts'

interface NewUser extends Changes {
  email: string
  name: string
  password?: string | undefined
  status?: UserRow['status'] | undefined
  /** Whether the address counts as confirmed. */
  emailVerified?: boolean | undefined
  /** Sends the user a link with which they choose a password. */
  link?: 'invitation' | undefined
}
type PasswordContext = Pick<Context, 'db' | 'passwords'>
type User = Awaited<ReturnType<typeof findUser>>

/**
 * Creates an account for another person. Without a password the user cannot sign in until one is
 * set. Throws `email-taken`, `mail-off`, and refusals that name a field.
 */
export const createUser = (
  context: PasswordContext & Partial<Pick<Context, 'mail'>>,
  actor: Actor,
  { link, ...input }: NewUser
) =>
  insertAccount(context, actor, input, ['user'], async (tx, by, user) => {
    if (link && !context.mail) throw new DomainError('mail-off')
    if (link && context.mail) await invite(tx, context.mail, by, user)
    return user
  })

/**
 * Like createUser, but the user chooses the password with a link. It is sent to their address;
 * without mail, or if it is not wanted, it is returned.
 */
export const inviteUser = (
  context: PasswordContext & Pick<Context, 'mail'>,
  actor: Actor,
  { byMail, ...input }: Omit<NewUser, 'password' | 'status' | 'link'> & { byMail: boolean }
) =>
  insertAccount(context, actor, input, ['user'], async (tx, by, user) => {
    const mail = byMail ? context.mail : undefined
    if (mail) await invite(tx, mail, by, user)
    const expiresIn = linkLifetimes.invitation
    return {
      user,
      link: mail ? undefined : await addResetLink(tx, by, { userId: user.id, expiresIn })
    }
  })

const invite = (tx: Db, mail: MailService, by: AuthorizedActor, user: User) =>
  sendInvitation(tx, mail, by, { ...user, ...user.profile })

/**
 * Like createUser, with the role `admin` and a confirmed address. For the command line only: does
 * not check what may be granted.
 */
export const createAdmin = (context: PasswordContext, actor: CommandLine, input: NewUser) =>
  insertAccount(context, actor, { ...input, emailVerified: true }, ['user', 'admin'], justUser)

const justUser = async (_tx: Db, _by: AuthorizedActor, user: User) => user

async function insertAccount<T>(
  context: PasswordContext,
  actor: Actor,
  { email, name: givenName, password, status = 'active', emailVerified, theme, profile }: NewUser,
  roles: SystemRole[],
  finish: (tx: Db, by: AuthorizedActor, user: User) => Promise<T>
) {
  const [emailNormalized, name, columns] = await checkAll(
    () => requireEmail(email),
    () => cleanName(givenName),
    () => cleanChanges({ theme, profile }),
    () =>
      password === undefined
        ? undefined
        : context.passwords.check(password, 'password', { email, name: givenName })
  )
  const passwordHash = password === undefined ? undefined : await context.passwords.hash(password)
  const values = {
    ...columns,
    email,
    emailNormalized,
    name,
    status,
    ...(passwordHash && { passwordHash }),
    ...(emailVerified && { emailVerifiedAt: sql`now()` })
  }
  const insert = (tx: Db) => insertUser(tx, values, roles)
  return authorized(context.db, actor, 'users:create', insert, async (tx, by, id) => {
    if (!id) throw new DomainError('email-taken')
    const role = roles.find((each) => each === 'admin')
    await record(tx, by, 'user.create', { userId: id, details: { email, role } })
    return finish(tx, by, await findUser(tx, id))
  })
}

interface UserUpdate {
  id: string
  changes: Changes & { status?: UserRow['status'] | undefined }
  expected?: Expected
}

/**
 * Changes a user. Throws `exceeds-own-permissions` for the address or status of a user who has more
 * permissions than the actor, `reauthentication-required` for those of the actor, `email-taken`,
 * `last-admin` and `precondition-failed`.
 */
export async function updateUser(
  { db, mail }: Pick<Context, 'db' | 'mail'>,
  actor: Actor,
  { id, changes, expected }: UserUpdate
) {
  const { status, ...data } = changes
  const columns = await cleanChanges(data)
  const lock = (tx: Db) => lockUser(tx, id)
  return authorized(db, actor, 'users:update', lock, async (tx, by, target) => {
    if (!target) throw new DomainError('user-not-found')
    requireRevision(userRevision(target), expected)
    // An operator's deactivation replaces the user's plan, which the user could cancel.
    const isNew = status !== target.status || target.deleteAt !== null
    const newStatus = status !== undefined && isNew ? status : undefined
    if (newStatus || (columns.email !== undefined && columns.email !== target.email)) {
      by.requireAll(target.permissions)
      await requireProofIfOwn(tx, by, target)
    }

    const changed = await writeChanges(tx, by, target, columns)
    // A new address waits for another user who is about to get it.
    if (changed && columns.email) await by.recheck()
    if (
      columns.emailNormalized !== undefined &&
      columns.emailNormalized !== target.emailNormalized
    ) {
      // Without a link to restore it, and without those of changes before: an operator may have
      // moved the account away from a mailbox that was taken over.
      await deleteLinkTokens(tx, [...revertPurposes], { userId: id })
      await notify(tx, mail, target, { kind: 'email-changed', ...factsOf(by) })
    }
    if (newStatus === 'deactivated') await deactivate(tx, by, target)
    if (newStatus === 'active') {
      // Its mail is for the address of after the change: the old one may be somebody else's by now.
      const restored = plannedDeletion(target) ? await lockUser(tx, id) : undefined
      if (restored) await cancelDeletion(tx, mail, by, restored)
      else await reactivate(tx, by, target)
    }
    if (changed || newStatus) await bumpUsers(tx, id)
    return findUser(tx, id)
  })
}

async function reactivate(tx: Db, by: AuthorizedActor, { id }: LockedUser) {
  await writeUser(tx, id, { status: 'active', deleteAt: null })
  await record(tx, by, 'user.reactivate', { userId: id })
}

async function deactivate(tx: Db, by: AuthorizedActor, user: LockedUser) {
  await requireOtherAdmin(tx, user)
  await writeUser(tx, user.id, { status: 'deactivated', deleteAt: null })
  await deleteLinkTokens(tx, ['restore'], { userId: user.id })
  await endPendingLogins(tx, user.id)
  const { length: revoked } = await revoke(tx, 'deactivated', eq(sessions.userId, user.id))
  await record(tx, by, 'user.deactivate', { userId: user.id, details: { revoked } })
}

/**
 * Deletes an account and all of its data except its activity records. Throws `last-admin`,
 * `exceeds-own-permissions`, `reauthentication-required` and `deletion-waits` for that of
 * the actor, and `precondition-failed`.
 */
export async function deleteUser(
  { db, mail }: Pick<Context, 'db' | 'mail'>,
  actor: Actor,
  which: { id: string; expected?: Expected }
) {
  await authorizedOn(db, actor, 'users:delete', which, async (tx, by, target) => {
    await requireProofIfOwn(tx, by, target)
    if (by.id === target.id) await requireOwnAddress(tx, target)
    await removeUser(tx, mail, by, target)
  })
}

/**
 * Marks the address of a user as confirmed, for an operator who knows that it is theirs. Throws
 * `email-verified`.
 */
export async function verifyEmail(db: Db, actor: Actor, { userId }: { userId: string }) {
  await authorizedOn(db, actor, 'users:update', { id: userId }, async (tx, by, target) => {
    if (target.emailVerifiedAt) throw new DomainError('email-verified')
    await writeUser(tx, target.id, { emailVerifiedAt: sql`now()` })
    await record(tx, by, 'user.email-verify', { userId: target.id })
    await bumpUsers(tx, target.id)
  })
}
