import { and, desc, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { registrations, tokens } from '../../../db/schema/tokens.ts'
import type { TokenPurpose } from '../../../db/schema/tokens.ts'
import { users } from '../../../db/schema/users.ts'
import { ofSeconds } from '../../../db/time.ts'
import { randomText, sha256 } from '../crypto.ts'
import { DomainError } from '../errors.ts'

// One-time tokens, as links carry them. The database has their SHA-256 only.

/**
 * A link that was asked for again must not make the first one invalid; more than this are not
 * needed.
 */
const mostAlive = 3
/** Second proofs, such as a password, that may be tried with one token. */
const mostTries = 5

/** Links that take an account back follow other rules: src/domain/mail/links.ts. */
export type LinkPurpose = Exclude<TokenPurpose, 'email-revert' | 'factor-revert'>

/** Each token belongs to an account or to a registration that may become one. */
export type LinkTokenOwner = { userId: string } | { registrationId: string }

interface NewToken {
  purpose: LinkPurpose
  owner: LinkTokenOwner
  /** The address that it is sent to, or leads to. */
  email?: string | undefined
  /** Seconds until it expires, by the database's clock. */
  expiresIn: number
}

/**
 * Creates a token of 32 random bytes as base64url. The token itself is not stored. When there are
 * more than three of the same purpose and owner, those that expire first are deleted. Undefined
 * when the owner is gone.
 */
export async function createLinkToken(tx: Db, { purpose, owner, email, expiresIn }: NewToken) {
  // Locked, so that two concurrent tokens count each other.
  if (!(await lockOwner(tx, owner))) return undefined
  const token = randomText(32)
  const hash = sha256(token)
  const [created] = await tx
    .insert(tokens)
    .values({
      hash,
      purpose,
      ...owner,
      email,
      createdAt: sql`clock_timestamp()`,
      expiresAt: sql`now() + ${ofSeconds(expiresIn)}`
    })
    .returning({ expiresAt: tokens.expiresAt })
  const isSibling = and(eq(tokens.purpose, purpose), ownedBy(owner), ne(tokens.hash, hash))
  const tooOld = tx
    .select({ hash: tokens.hash })
    .from(tokens)
    .where(isSibling)
    // Anybody can ask for links that are valid for half an hour: they must not end an invitation.
    .orderBy(desc(tokens.expiresAt), desc(tokens.createdAt))
    .offset(mostAlive - 1)
  await tx.delete(tokens).where(and(isSibling, inArray(tokens.hash, tooOld)))
  return created && { token, ...created }
}

async function lockOwner(tx: Db, owner: LinkTokenOwner) {
  const [table, id] =
    'userId' in owner
      ? ([users, owner.userId] as const)
      : ([registrations, owner.registrationId] as const)
  const row = { id: table.id }
  const rows = await tx.select(row).from(table).where(eq(table.id, id)).for('no key update')
  return rows.length > 0
}

/** Text of another form is not a token. */
const ownedBy = ({ userId, registrationId }: Partial<Grant>) =>
  or(
    userId ? eq(tokens.userId, userId) : undefined,
    registrationId ? eq(tokens.registrationId, registrationId) : undefined
  ) ?? sql`false`

/** The owner of a token, and the address if it was sent to one. */
const grant = {
  userId: tokens.userId,
  registrationId: tokens.registrationId,
  email: tokens.email
}
type Grant = Pick<typeof tokens.$inferSelect, keyof typeof grant>

/**
 * Uses a token up, with all others of its purpose and owner, in the transaction of the change that
 * it allows: of two requests at once one succeeds. Throws `invalid-token` alike for a token that is
 * unknown, expired or used, has another purpose, or belongs to another user than `userId`. A flow
 * that asks for a second proof begins a try first.
 */
export async function consumeLinkToken(
  tx: Db,
  purpose: LinkPurpose,
  token: string,
  userId?: string
) {
  const [deleted] = await tx
    .delete(tokens)
    .where(
      and(isValid(purpose, token), userId === undefined ? undefined : eq(tokens.userId, userId))
    )
    .returning(grant)
  if (!deleted) throw new DomainError('invalid-token')
  await tx.delete(tokens).where(and(eq(tokens.purpose, purpose), ownedBy(deleted)))
  return deleted
}

/**
 * Reads the grant of a token and until when it is valid, without using it up. Throws
 * `invalid-token`, also after five tries.
 */
export async function readLinkToken(db: Db, purpose: TokenPurpose, token: string) {
  const [found] = await db
    .select({ ...grant, expiresAt: tokens.expiresAt })
    .from(tokens)
    .where(and(isValid(purpose, token), lt(tokens.tries, mostTries)))
  if (!found) throw new DomainError('invalid-token')
  return found
}

/** Whether it is this token, has this purpose and is still valid. */
export const isValid = (purpose: TokenPurpose, token: string) =>
  and(eq(tokens.hash, sha256(token)), eq(tokens.purpose, purpose), gt(tokens.expiresAt, sql`now()`))

/**
 * Counts a try before a second proof is checked, and returns the grant of the token without using
 * it up. Because tries are counted first, concurrent ones cannot exceed the limit. Undefined, and
 * nothing is counted, for a token that is invalid or has had five tries.
 */
export async function countAttempt(tx: Db, purpose: TokenPurpose, token: string) {
  const [found] = await tx
    .update(tokens)
    .set({ tries: sql`${tokens.tries} + 1` })
    .where(and(isValid(purpose, token), lt(tokens.tries, mostTries)))
    .returning(grant)
  return found
}

/** Returns a try in which no proof was checked, for example because the instance was overloaded. */
export async function returnAttempt(tx: Db, purpose: TokenPurpose, token: string) {
  await tx
    .update(tokens)
    .set({ tries: sql`${tokens.tries} - 1` })
    .where(and(isValid(purpose, token), gt(tokens.tries, 0)))
}

/** Deletes tokens that a change has made obsolete. */
export async function deleteLinkTokens(tx: Db, purposes: TokenPurpose[], owner: LinkTokenOwner) {
  await tx.delete(tokens).where(and(inArray(tokens.purpose, purposes), ownedBy(owner)))
}
