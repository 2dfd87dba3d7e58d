import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { TokenPurpose } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import type { Actor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import { findAddedSince } from '../factors/enrolment.ts'
import { namesOfKeys } from '../keys/keys.ts'
import { findOldestRevert, revertPurposes } from '../mail/links.ts'
import { nameOf } from '../providers/provider.ts'
import { describeInvitation } from '../scopes/invitations.ts'
import type { Context } from '../sign-in/context.ts'
import { throttled } from '../throttling/admission.ts'
import { readLinkToken } from '../tokens/tokens.ts'
import { maskEmail, normalizeEmail } from '../users/emails.ts'
import { isPresent, plannedDeletion } from '../users/users.ts'

interface MailLink {
  purpose: TokenPurpose | 'invitation'
  token: string
  /** The user who is signed in where the link was opened. */
  reader: { id: string; email: string } | undefined
}

/**
 * Says what a link in a mail is about, and uses nothing up. It says no more than the owner of the
 * mailbox may know. Throws `invalid-token`, where the use of the link would, and `rate-limited`.
 */
export const readMailLink = (context: Context, actor: Actor, link: MailLink) =>
  throttled(context, { wanted: context.buckets.source(actor.ip) }, async () => {
    const { purpose, token, reader } = link
    if (purpose !== 'invitation') return describe(context, purpose, link)
    const { email, emailNormalized, expiresAt, ...found } = await describeInvitation(
      context.db,
      token
    )
    const { scope, role, inviter } = found
    const own = normalizeEmail(reader?.email ?? '') === emailNormalized
    return { email, account: null, own, expiresAt, ends: [], invitation: { scope, role, inviter } }
  })

async function describe(
  { db, providers }: Context,
  purpose: TokenPurpose,
  { token, reader }: MailLink
) {
  const { userId, email: to, expiresAt } = await readLinkToken(db, purpose, token)
  const user = userId === null ? undefined : await findUser(db, userId)
  // The links of operators were sent to no address, those of registrations have no user.
  const email = to ?? user?.email
  if (!email || (userId !== null && !isUsable(purpose, user, email))) {
    throw new DomainError('invalid-token')
  }
  const isOther = purpose === 'email-change' && !isAddressOf(user, email)
  const ends = await findEnds(db, purpose, user, email)
  return {
    email,
    account: user && isOther ? maskEmail(user.email) : null,
    own: user !== undefined && reader?.id === user.id,
    expiresAt,
    ends: ends.map(({ kind, name }) => ({
      kind,
      name: kind === 'provider' ? nameOf(providers, name ?? '') : name
    }))
  }
}

async function findUser(db: Db, userId: string) {
  const { id, email, emailNormalized, status, deleteAt } = users
  const [found] = await db
    .select({ id, email, emailNormalized, status, deleteAt })
    .from(users)
    .where(eq(id, userId))
  return found
}

type Owner = Awaited<ReturnType<typeof findUser>>

const isAddressOf = (user: Owner, email: string) => normalizeEmail(email) === user?.emailNormalized

/** Whether the account is in the state that the link needs. */
function isUsable(purpose: TokenPurpose, user: Owner, email: string) {
  if (!user) return false
  switch (purpose) {
    case 'confirm':
      return isPresent(user) && isAddressOf(user, email)
    case 'password-reset':
      return user.status === 'active' && isAddressOf(user, email)
    case 'email-change':
    case 'factor-enrolment':
      return user.status === 'active'
    case 'email-revert':
    case 'factor-revert':
      return isPresent(user)
    case 'restore':
      return plannedDeletion(user) !== null
    case 'key-revocation':
      return true
  }
}

/** The API keys that the link ends, or the ways to sign in that it removes. */
async function findEnds(db: Db, purpose: TokenPurpose, user: Owner, email: string) {
  if (!user) return []
  if (purpose === 'key-revocation') {
    const keys = await namesOfKeys(db, user.id)
    return keys.map(({ name }) => ({ kind: 'key' as const, name }))
  }
  if (purpose !== 'email-revert' && purpose !== 'factor-revert') return []
  const owner = { id: user.id, emailNormalized: normalizeEmail(email) ?? '' }
  const oldest = await findOldestRevert(db, revertPurposes, owner)
  return oldest ? findAddedSince(db, user.id, oldest.since) : []
}
