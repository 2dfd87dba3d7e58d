import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { pendingLogins } from '../../../db/schema/sessions.ts'
import type { StoredCharge, StoredLink } from '../../../db/schema/sessions.ts'
import { ofSeconds } from '../../../db/time.ts'
import { randomText, sha256 } from '../crypto.ts'
import type { Charge } from '../throttling/throttles.ts'

/** Seconds in which the second factor must be proved. Also the lifetime of the login cookie. */
export const loginSeconds = 300
/** Number of codes that can be tried in one sign-in. */
const mostTries = 5
/**
 * Maximum number of pending logins of one user, so that a thief with the password cannot fill the
 * table.
 */
const mostPending = 5

const hashOf = (secret: string) => sha256(`login:${secret}`)

/**
 * Stores a sign-in that needs a second factor. Returns the secret for the login cookie. Call it
 * with the user's row locked.
 * @param provided the provider account with which it began, instead of the password
 */
export async function beginPendingLogin(
  tx: Db,
  { id: userId, credentialVersion }: { id: string; credentialVersion: number },
  charge: Charge,
  provided?: { accountId: string; link: StoredLink | undefined }
) {
  const secret = randomText()
  const [row] = await tx
    .insert(pendingLogins)
    .values({
      tokenHash: hashOf(secret),
      userId,
      credentialVersion,
      charge: toJson(charge),
      providerAccountId: provided?.accountId,
      link: provided?.link,
      createdAt: sql`clock_timestamp()`,
      expiresAt: sql`now() + ${ofSeconds(loginSeconds)}`
    })
    .returning({ expiresAt: pendingLogins.expiresAt })
  if (!row) throw new Error('a pending login was inserted and not returned')
  const tooMany = tx
    .select({ tokenHash: pendingLogins.tokenHash })
    .from(pendingLogins)
    .where(eq(pendingLogins.userId, userId))
    .orderBy(desc(pendingLogins.createdAt))
    .offset(mostPending)
  await tx.delete(pendingLogins).where(inArray(pendingLogins.tokenHash, tooMany))
  return { secret, expiresAt: row.expiresAt }
}

const isOpen = (secret: string) =>
  and(
    eq(pendingLogins.tokenHash, hashOf(secret)),
    gt(pendingLogins.expiresAt, sql`now()`),
    lt(pendingLogins.tries, mostTries)
  )

/** The account of a sign-in that can still be completed, or undefined. */
export async function findPendingLogin(db: Db, secret: string) {
  const [found] = await db
    .select({
      id: pendingLogins.userId,
      credentialVersion: pendingLogins.credentialVersion,
      expiresAt: pendingLogins.expiresAt
    })
    .from(pendingLogins)
    .where(isOpen(secret))
  return found
}

/**
 * Counts a try, and returns what belongs to the sign-in. Undefined when it has ended. Call it with
 * the user's row locked.
 */
export async function tryPendingLogin(tx: Db, secret: string) {
  const [found] = await tx
    .update(pendingLogins)
    .set({ tries: sql`${pendingLogins.tries} + 1` })
    .where(isOpen(secret))
    .returning({
      credentialVersion: pendingLogins.credentialVersion,
      providerAccountId: pendingLogins.providerAccountId,
      link: pendingLogins.link,
      charge: pendingLogins.charge
    })
  return found && { ...found, charge: fromJson(found.charge) }
}

export const endPendingLogin = (tx: Db, secret: string) =>
  tx.delete(pendingLogins).where(eq(pendingLogins.tokenHash, hashOf(secret)))

/** Ends a sign-in that its user completes in another way. Returns what it cost, or nothing. */
export async function takePendingLogin(tx: Db, secret: string, userId: string) {
  const [taken] = await tx
    .delete(pendingLogins)
    .where(and(isOpen(secret), eq(pendingLogins.userId, userId)))
    .returning({
      charge: pendingLogins.charge,
      providerAccountId: pendingLogins.providerAccountId,
      link: pendingLogins.link
    })
  return taken && { ...taken, charge: fromJson(taken.charge) }
}

/** Ends every sign-in of a user that waits for the second factor. */
export const endPendingLogins = (tx: Db, userId: string) =>
  tx.delete(pendingLogins).where(eq(pendingLogins.userId, userId))

/** Ends sign-ins that would link an account: their rows have no id of it yet. */
export const endPendingLinks = (
  tx: Db,
  { issuer, subject }: Pick<StoredLink, 'issuer' | 'subject'>
) =>
  tx
    .delete(pendingLogins)
    .where(sql`${pendingLogins.link} @> ${JSON.stringify({ issuer, subject })}::jsonb`)

const toJson = (charge: Charge): StoredCharge =>
  charge.map(({ key, seconds, success, alsoClears }) => ({
    key: key.toString('base64'),
    seconds,
    ...(success && { success }),
    ...(alsoClears && { alsoClears: alsoClears.toString('base64') })
  }))

const fromJson = (stored: StoredCharge): Charge =>
  stored.map(({ key, alsoClears, ...others }) => ({
    ...others,
    key: Buffer.from(key, 'base64'),
    ...(alsoClears !== undefined && { alsoClears: Buffer.from(alsoClears, 'base64') })
  }))
