import { and, eq, lt, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'
import type { Db } from '../../../db/engine.ts'
import { totp } from '../../../db/schema/second-factors.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { isSessionOf } from '../actor.ts'
import type { SignedInActor } from '../actor.ts'
import { DomainError } from '../errors.ts'
import type { Sealing } from '../sealing.ts'

// Time-based one-time passwords (TOTP, RFC 6238) with SHA-1, 6 digits and 30 seconds, which every
// app supports.

const period = 30
/** Steps before and after the current one that are accepted, for clocks that differ. */
const window = 1
export const secretLength = 20
/** Apps show a space in the middle. */
const codeForm = /^([0-9]{3}) ?([0-9]{3})$/

/** The code generator of an app. */
export const generatorOf = (secret: Uint8Array, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({
    ...names,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period
  })

/**
 * The time step of a code, or undefined when it is wrong.
 * @param now seconds since 1970, by the clock of the database
 */
export function stepOf(secret: Uint8Array, code: string, now: number): number | undefined {
  const [, first, last] = codeForm.exec(code) ?? []
  if (first === undefined) return undefined // the library throws for other digits
  const token = `${first}${last}`
  const delta = generatorOf(secret).validate({ token, timestamp: now * 1000, window })
  return delta === null ? undefined : Math.floor(now / period) + delta
}

/**
 * Uses up a code of the user: true when it is right and neither it nor a later one was used before.
 * The update decides, so that of two concurrent attempts one succeeds.
 */
export async function spendCode(tx: Db, sealing: Sealing, userId: string, code: string) {
  const [found] = await tx
    .select({ secret: totp.secret, now: databaseSeconds })
    .from(totp)
    .where(eq(totp.userId, userId))
  if (!found) return false
  const step = stepOf(openSecret(sealing, userId, found.secret), code, found.now)
  if (step === undefined) return false
  const spent = await tx
    .update(totp)
    .set({ lastStep: step })
    .where(and(eq(totp.userId, userId), lt(totp.lastStep, step)))
    .returning({ userId: totp.userId })
  return spent.length > 0
}

/**
 * Stores the secret of an app in setup with the session: another session of the user,
 * such as that of a thief, can neither confirm nor replace it. Null forgets it.
 */
export async function keepPendingSecret(
  tx: Db,
  sealing: Sealing,
  actor: SignedInActor,
  secret: Uint8Array | null
) {
  const pendingTotp = secret && sealing.seal('totp', actor.sessionId, secret)
  await tx.update(sessions).set({ pendingTotp }).where(isSessionOf(actor))
}

/**
 * Puts the pending secret of the session into use, and uses up the code. Throws `wrong-code`, and
 * `enrolment-not-begun`, also when no key opens the secret.
 */
export async function confirmSecret(
  tx: Db,
  sealing: Sealing,
  actor: SignedInActor,
  { code, at }: { code: string; at: Date }
) {
  const { id: userId, sessionId } = actor
  const [found] = await tx
    .select({ sealed: sessions.pendingTotp, now: databaseSeconds })
    .from(sessions)
    .where(isSessionOf(actor))
  const secret = found?.sealed && sealing.open('totp', sessionId, found.sealed)
  if (!secret) throw new DomainError('enrolment-not-begun')
  const step = stepOf(secret, code, found.now)
  if (step === undefined) throw new DomainError('wrong-code')
  const confirmed = {
    secret: sealing.seal('totp', userId, secret),
    lastStep: step,
    confirmedAt: at
  }
  await tx
    .insert(totp)
    .values({ userId, ...confirmed })
    .onConflictDoUpdate({ target: totp.userId, set: confirmed })
  await keepPendingSecret(tx, sealing, actor, null)
}

/** When the last code was accepted, to within a minute; null if none was. */
export const lastCodeAt = sql<Date | null>`case when ${totp.lastStep} > 0 then
  least(now(), greatest(${totp.confirmedAt}, to_timestamp(${totp.lastStep} * ${period}::int)))
  end`.mapWith(totp.confirmedAt)

/** By the database's clock, because the clocks of instances differ. */
export const databaseSeconds = sql`extract(epoch from clock_timestamp())::float8`.mapWith(Number)

/** Throws `second-factor-unreadable` when its key was removed from SECRET_KEYS. */
function openSecret(sealing: Sealing, userId: string, sealed: Uint8Array): Uint8Array {
  const secret = sealing.open('totp', userId, sealed)
  if (!secret) throw new DomainError('second-factor-unreadable', { retryAfter: 60 })
  return secret
}

/** Blank modules on each side (ISO/IEC 18004). */
const border = 4

/**
 * Draws a QR code as SVG: a background, and one path that draws each run of dark modules as a line.
 * It has no style or script, so that every content security policy allows it.
 */
export function drawQrCode(text: string): string {
  const { data, size } = encode(text, { border })
  const runs = data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}.5h${length}`))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/>` +
    `<path stroke="#000" d="${runs.join('')}"/></svg>`
  )
}

/** Start and length of each run of dark modules. */
const runsOf = (row: boolean[]) =>
  row.flatMap((dark, x): [number, number][] => {
    if (!dark || row[x - 1]) return []
    const end = row.indexOf(false, x)
    return [[x, (end < 0 ? row.length : end) - x]]
  })
