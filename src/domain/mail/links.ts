import { and, asc, eq, gt, gte, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import type { TokenPurpose } from '../../../db/schema/tokens.ts'
import { randomText, sha256 } from '../crypto.ts'
import { DomainError } from '../errors.ts'
import { enqueueMail, inMail, readerOf, withoutName } from '../outbox/enqueue.ts'
import type { MailService, Recipient } from '../outbox/enqueue.ts'
import { linkLifetimes } from '../tokens/lifetimes.ts'
import { createLinkToken, isValid } from '../tokens/tokens.ts'
import { normalizeEmail } from '../users/emails.ts'

/**
 * Mails with a link for the owner of an account, and the purpose of its token. Those of
 * registrations and recoveries are created in preparation.ts.
 */
const purposes = {
  /** For an account that exists. */
  confirm: 'confirm',
  'email-verify': 'email-change',
  'email-change': 'email-change',
  'factor-enrolment': 'factor-enrolment',
  /** For a user whom an operator helps. */
  recovery: 'password-reset',
  invitation: 'password-reset'
} as const

/** Mails to addresses that are not confirmed yet. */
const unconfirmed: (keyof typeof purposes)[] = ['confirm', 'email-verify', 'email-change']

type LinkReader = Omit<Recipient, 'emailVerifiedAt'> & {
  /** Key of the one that confirms the address, instead of the password. */
  provider?: string
}

/**
 * Sends a link with a new token to an address of a user: the current one, unless `to` names
 * another. Call it in a transaction that has locked the user, or has just created them.
 */
export async function sendLink(
  tx: Db,
  mail: MailService,
  kind: keyof typeof purposes,
  { id, email, provider, ...recipient }: LinkReader,
  to = email
) {
  const purpose = purposes[kind]
  const expiresIn = linkLifetimes[kind]
  const owner = { userId: id }
  const created = await createLinkToken(tx, { purpose, owner, email: to, expiresIn })
  if (!created) return
  const content =
    kind === 'confirm'
      ? { kind, ...(provider !== undefined && { provider }), ...inMail(created) }
      : { kind, ...inMail(created) }
  const reader = unconfirmed.includes(kind) ? withoutName(recipient) : readerOf(recipient)
  await enqueueMail(tx, mail, { to, reader, content }, { userId: id, expiresIn })
}

// Links with which an owner restores an account to its state at the time of the link. A new link
// does not replace earlier ones, because the first one is the owner's.

export const revertPurposes = ['email-revert', 'factor-revert'] as const satisfies TokenPurpose[]
export type RevertPurpose = (typeof revertPurposes)[number]

interface RevertLink {
  purpose: RevertPurpose
  user: { id: string; email: string; emailNormalized: string }
  /** When the change that it reverts began, by the clock of the database. */
  since: Date
}

/**
 * Creates a link that is sent to the present address of the user, and valid for 72 hours after the
 * change. Nobody else can take the address until then. Call it with the user locked.
 */
export async function createRevert(tx: Db, { purpose, user, since }: RevertLink) {
  const token = randomText(32)
  const expiresAt = new Date(since.getTime() + linkLifetimes.revert * 1000)
  await tx.insert(tokens).values({
    hash: sha256(token),
    purpose,
    userId: user.id,
    email: user.email,
    reservedEmail: user.emailNormalized,
    createdAt: since,
    expiresAt
  })
  return { token, expiresAt: expiresAt.toISOString() }
}

const isAlive = gt(tokens.expiresAt, sql`now()`)

/** The oldest link of these kinds that leads to the address. */
export async function findOldestRevert(
  tx: Db,
  purposes: readonly RevertPurpose[],
  { id, emailNormalized }: Pick<RevertLink['user'], 'id' | 'emailNormalized'>
) {
  const [oldest] = await tx
    .select({ purpose: tokens.purpose, since: tokens.createdAt })
    .from(tokens)
    .where(
      and(
        eq(tokens.userId, id),
        inArray(tokens.purpose, purposes),
        eq(tokens.reservedEmail, emailNormalized),
        isAlive
      )
    )
    .orderBy(asc(tokens.createdAt))
    .limit(1)
  return oldest
}

/** From when on a link to the address of the user reverts added factors. */
export const findFactorRevert = async (tx: Db, user: RevertLink['user']) =>
  (await findOldestRevert(tx, ['factor-revert'], user))?.since

/**
 * Uses a link up. It stands for the time of the oldest one that leads to the same address, so that
 * it does not matter which of several an owner uses, and ends all that were created since: somebody
 * who took an account over may have some of their own. Throws `invalid-token`.
 */
export async function consumeRevert(tx: Db, purpose: RevertPurpose, token: string) {
  const [used] = await tx
    .delete(tokens)
    .where(isValid(purpose, token))
    .returning({ userId: tokens.userId, email: tokens.email, since: tokens.createdAt })
  const emailNormalized = normalizeEmail(used?.email ?? '')
  if (!used?.userId || used.email === null || emailNormalized === undefined) {
    throw new DomainError('invalid-token')
  }
  const { userId, email } = used
  const older = await findOldestRevert(tx, revertPurposes, { id: userId, emailNormalized })
  const first = older && older.since < used.since ? older : { purpose, since: used.since }
  await tx
    .delete(tokens)
    .where(
      and(
        eq(tokens.userId, userId),
        inArray(tokens.purpose, revertPurposes),
        gte(tokens.createdAt, first.since)
      )
    )
  return { email, emailNormalized, first }
}

/** Seconds until the last link that restores a former address expires, or 0. */
export async function secondsToRevert(tx: Db, userId: string) {
  const [found] = await tx
    .select({
      left: sql`extract(epoch from max(${tokens.expiresAt}) - now())::float8`.mapWith(Number)
    })
    .from(tokens)
    .where(and(eq(tokens.userId, userId), eq(tokens.purpose, 'email-revert'), isAlive))
  return Math.ceil(found?.left ?? 0)
}
