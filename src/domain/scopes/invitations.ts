import { and, eq, gt, ne, or, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import { roles } from '../../../db/schema/roles.ts'
import { invitationDays, invitations, scopeLimits } from '../../../db/schema/scopes.ts'
import type { invitationSorts } from '../../../db/schema/scopes.ts'
import { users } from '../../../db/schema/users.ts'
import { ofDays } from '../../../db/time.ts'
import { authorized, authorizedIn } from '../access/authorize.ts'
import { findRole, lockRole } from '../access/roles.ts'
import { record } from '../activity/record.ts'
import type { Actor, Author, SignedInActor } from '../actor.ts'
import { randomText, sha256 } from '../crypto.ts'
import { confirmEmailFirst, DomainError } from '../errors.ts'
import { throttledWithProof } from '../guard/guard.ts'
import type { Presented } from '../guard/guard.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { enqueueMail, inMail } from '../outbox/enqueue.ts'
import type { MailService } from '../outbox/enqueue.ts'
import { hours } from '../tokens/lifetimes.ts'
import { maskEmail, requireEmail } from '../users/emails.ts'
import { currentUserIn, lockUser, scopedRightsOf } from '../users/users.ts'
import { lockMembership, lockScope, writeMembership } from './members.ts'

const isOpen = gt(invitations.expiresAt, sql`now()`)
const roleKey = sql<string>`(select ${roles.key} from ${roles}
  where ${roles.id} = ${invitations.roleId})`
const shown = {
  id: invitations.id,
  email: invitations.email,
  role: roleKey,
  invitedBy: invitations.invitedBy,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt
}

interface NewInvitation extends Presented {
  scope: string
  email: string
  /** The role's key. */
  role: string
  /** The language of the mail, from the browser of the inviter. */
  locale?: string | undefined
}

type InvitingContext = Parameters<typeof throttledWithProof>[0] & { mail: MailService | undefined }

/**
 * Invites the owner of an address to a role in a scope, who may not have an account: the response
 * does not tell. Another invitation of the address to the role replaces the first, whose link ends.
 * Throws `mail-off`, `scope-not-found`, `permission-denied`, `exceeds-own-permissions`,
 * `email-unverified`, `role-not-found`, `role-not-scoped`, `scope-ended`, `too-many-invitations`,
 * `challenge-required`, `rate-limited`, and a refusal that names `email`.
 */
export async function invite(
  context: InvitingContext,
  actor: SignedInActor,
  { scope, email, role: key, locale, ...presented }: NewInvitation
) {
  const { db, mail } = context
  const emailNormalized = requireEmail(email)
  if (!mail) throw new DomainError('mail-off')
  const lock = (tx: Db) => lockMembership(tx, { scope, userId: actor.id, role: key })
  const work = () =>
    authorizedIn(db, actor, scope, 'members:manage', lock, async (tx, by, locked) => {
      const { isFree, user: inviter, role } = locked
      if (!inviter) throw new DomainError('unauthenticated')
      if (mail.delivers && !inviter.emailVerifiedAt) throw confirmEmailFirst()
      if (!role) throw new DomainError('role-not-found')
      if (!role.scoped) throw new DomainError('role-not-scoped')
      by.requireAll(role.permissions)
      if (!isFree) throw new DomainError('scope-ended')
      const ofScope = eq(invitations.scope, scope)
      const isOther = or(
        ne(invitations.emailNormalized, emailNormalized),
        ne(invitations.roleId, role.id)
      )
      const others = await tx.$count(invitations, and(ofScope, isOpen, isOther))
      if (others >= scopeLimits.invitations) throw new DomainError('too-many-invitations')
      const token = randomText(32)
      const values = {
        ...{ id: uuid(), email, invitedBy: inviter.id, tokenHash: sha256(token) },
        createdAt: sql`now()`,
        expiresAt: sql`now() + ${ofDays(invitationDays)}`
      }
      const { scope: inScope, emailNormalized: to, roleId } = invitations
      const [made] = await tx
        .insert(invitations)
        .values({ ...values, scope, emailNormalized, roleId: role.id })
        .onConflictDoUpdate({ target: [inScope, to, roleId], set: values })
        .returning(shown)
      if (!made) throw new Error('no invitation was written')
      const kind = 'scope-invitation' as const
      const link = inMail({ token, expiresAt: made.expiresAt })
      const content = { kind, inviter: inviter.email, role: role.name, ...link }
      const letter = { to: email, reader: { locale: locale ?? null }, content }
      await enqueueMail(tx, mail, letter, { expiresIn: hours(24 * invitationDays) })
      await record(tx, by, 'scope.invite', fieldsOf(scope, made))
      return made
    })
  const asking = { ...presented, purpose: 'invitation', email: emailNormalized } as const
  return throttledWithProof(context, actor, asking, work)
}

/** Masked: the address of somebody without an account could not be forgotten with one. */
const fieldsOf = (scope: string, { role, email }: { role: string; email: string }) => ({
  target: { type: 'scope' as const, id: scope },
  details: { role, email: maskEmail(email) }
})

const list = {
  table: invitations,
  columns: shown,
  orders: { createdAt: [invitations.createdAt, invitations.id] }
}

type InvitationWindow = Window<(typeof invitationSorts)[number]>

/** The open invitations of a scope. */
export const listInvitations = (db: Db, scope: string, window: InvitationWindow) =>
  page(db, list, window, and(eq(invitations.scope, scope), isOpen))

/** The open invitations to an address, which the data export of its owner names. */
export function listInvitationsTo(db: Db, emailNormalized: string, window: InvitationWindow) {
  const { id, email, invitedBy, ...columns } = { ...shown, scope: invitations.scope }
  const isTo = and(eq(invitations.emailNormalized, emailNormalized), isOpen)
  return page(db, { ...list, columns }, window, isTo)
}

/**
 * Withdraws an invitation, whose link ends. Throws `scope-not-found`, `permission-denied`,
 * `exceeds-own-permissions` and `invitation-not-found`.
 */
export function withdrawInvitation(
  db: Db,
  actor: Actor,
  { scope, id }: { scope: string; id: string }
) {
  const lock = (tx: Db) => lockScope(tx, scope)
  return authorizedIn(db, actor, scope, 'members:manage', lock, async (tx, by) => {
    const [found] = await tx
      .delete(invitations)
      .where(and(eq(invitations.id, id), eq(invitations.scope, scope)))
      .returning({ role: roleKey, email: invitations.email })
    if (!found) throw new DomainError('invitation-not-found')
    const role = await lockRole(tx, found.role, 'share')
    by.requireAll(role?.permissions ?? [])
    await record(tx, by, 'scope.invitation-delete', fieldsOf(scope, found))
  })
}

/** The open invitation of a link. */
export async function readInvitation(db: Db, token: string) {
  const { scope, emailNormalized } = invitations
  const [found] = await db
    .select({ ...shown, scope, emailNormalized })
    .from(invitations)
    .where(and(eq(invitations.tokenHash, sha256(token)), isOpen))
  return found
}

/**
 * Locks what the acceptance of an invitation depends on. Undefined when the link is not valid, also
 * when it was used or withdrawn during the wait, and when the scope was deleted.
 */
export async function lockInvitation(tx: Db, token: string, userId?: string) {
  const known = await readInvitation(tx, token)
  if (!known || !(await lockScope(tx, known.scope))) return undefined
  const user = userId === undefined ? undefined : await lockUser(tx, userId)
  const role = await lockRole(tx, known.role, 'share')
  const found = await readInvitation(tx, token)
  return role && found && { ...found, role, user }
}

type LockedInvitation = NonNullable<Awaited<ReturnType<typeof lockInvitation>>>

/** The sender of an invitation, who could still grant its role. */
async function findInviter(
  db: Db,
  { scope, role, invitedBy }: Pick<LockedInvitation, 'scope' | 'role' | 'invitedBy'>
) {
  // Roles that require a second factor count: it was proved when the invitation was sent.
  const { status, permissions } = currentUserIn(sql`2`)
  const scoped = scopedRightsOf(sql`${users.id}`, sql`${scope}::text`, sql`2`)
  const [inviter] = await db
    .select({ email: users.email, status, permissions, scoped })
    .from(users)
    .where(eq(users.id, invitedBy))
  const held = [...(inviter?.permissions ?? []), ...(inviter?.scoped.permissions ?? [])]
  const mayInvite = ['members:manage', ...role.permissions].every((each) => held.includes(each))
  return inviter?.status === 'active' && mayInvite ? inviter : undefined
}

/**
 * Reads an invitation, the name of its role and its sender, as its mail names them. Throws
 * `invalid-token` as its acceptance does.
 */
export async function describeInvitation(db: Db, token: string) {
  const found = await readInvitation(db, token)
  const role = found && (await findRole(db, found.role))
  const inviter = role && (await findInviter(db, { ...found, role }))
  if (!inviter) throw new DomainError('invalid-token')
  return { ...found, role: role.name, inviter: inviter.email }
}

/**
 * Uses an invitation up: the user gets its role, if the inviter could still grant it. Call it last
 * in a transaction, with the invitation locked. Throws `invalid-token`, `role-not-scoped` and
 * `too-many-members`.
 */
export async function join(
  tx: Db,
  author: Author,
  invitation: LockedInvitation,
  user: { id: string }
) {
  const { id, scope, role } = invitation
  if (!(await findInviter(tx, invitation))) throw new DomainError('invalid-token')
  await tx.delete(invitations).where(eq(invitations.id, id))
  await writeMembership(tx, author, { scope, user, role }, 'invitation')
  return { scope, role: role.key }
}

/**
 * Accepts an invitation as the owner of the address that it was sent to. Throws `invalid-token`
 * alike for a link that is unknown, expired, used or withdrawn, or whose inviter has lost the
 * right; `email-differs` for somebody who has not confirmed the address; and `too-many-members`.
 */
export function acceptInvitation(db: Db, actor: SignedInActor, token: string) {
  const lock = (tx: Db) => lockInvitation(tx, token, actor.id)
  return authorized(db, actor, [], lock, async (tx, by, invitation) => {
    if (!invitation) throw new DomainError('invalid-token')
    const { user, emailNormalized } = invitation
    if (!user?.emailVerifiedAt || user.emailNormalized !== emailNormalized) {
      throw new DomainError('email-differs')
    }
    return join(tx, by, invitation, user)
  })
}
