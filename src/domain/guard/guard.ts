import { eq } from 'drizzle-orm'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Actor } from '../actor.ts'
import type { Rank } from '../bulkhead.ts'
import { DomainError } from '../errors.ts'
import { spendChallenge } from '../factors/challenges.ts'
import type { Buckets, AttemptBuckets } from '../throttling/buckets.ts'
import { throttled } from '../throttling/admission.ts'
import type { Proved, ThrottleContext } from '../throttling/admission.ts'
import { isOf } from '../throttling/devices.ts'
import type { Devices } from '../throttling/devices.ts'
import { charge, chargeAnyway, readUsed } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { requireEmail } from '../users/emails.ts'
import { readConfirmations, readHour } from './confirmed-share.ts'
import type { Asked, Proofs } from './proofs.ts'

/** Undefined in a context where no mail can be sent. */
export interface Guard {
  proofs: Proofs
  /** Whether operators distrust the network of this address. */
  isSuspect(ip: string | undefined): boolean
}

interface GuardContext extends ThrottleContext {
  buckets: Buckets
  devices: Devices
  guard?: Guard | undefined
}

/** The parts of a request that may spare it a challenge. */
export interface Presented {
  /** A solved challenge. */
  proof?: string | undefined
  /** The cookie of a known device. */
  device?: string | undefined
}

/** A call that causes mail, beside what it may present. */
type Asking = Asked &
  Presented &
  Pick<Parameters<typeof throttled>[1], 'findUser' | 'arrived'> & {
    /** Whether calls without a proof wait for a hash already: then this one needs a proof. */
    isBusy?: () => boolean
  }

/** Powers of two. */
const bits = { least: 16, most: 22, ofSuspects: 2, ofSource: 4 }

function limitsOf(buckets: Buckets, { id, ip }: Actor, { purpose, email }: Asked) {
  if (purpose === 'registration') return buckets.register(ip, email)
  if (purpose === 'invitation' && id !== undefined) return buckets.invitation(id, email)
  return buckets.mail(ip, purpose, email)
}

/**
 * Counts an attempt that causes mail, after its proof, then does its work as `throttled` does.
 * Throws `challenge-required`, `rate-limited` and `overloaded`.
 */
export function throttledWithProof<T>(
  context: GuardContext,
  actor: Actor,
  { findUser, arrived, ...asking }: Asking,
  work: (charge: Charge, requireTime: () => void, rank: Rank) => Promise<T>
): Promise<T> {
  const wanted = limitsOf(context.buckets, actor, asking)
  const prove = () => requireProof(context, actor, asking, wanted)
  return throttled(context, { wanted, prove, ...(findUser && { findUser }), arrived }, work)
}

/**
 * Lets a call pass that would send mail to somebody who may not have asked for it: with the
 * solution of a challenge, from a known device, or while little such mail is unconfirmed. Nothing
 * is looked up that depends on the address. Returns what was charged. Throws `challenge-required`.
 */
async function requireProof(
  context: GuardContext,
  actor: Actor,
  asking: Asking,
  wanted: AttemptBuckets
): Promise<Proved> {
  const { db, buckets, guard } = context
  if (!guard) return { charged: [], rank: 'others' }
  const { proof, device, isBusy } = asking
  const unproved = buckets.unproved()
  const { now, difficulty, isEager } = await readDemand(context, guard, actor.ip, wanted)
  const solved = proof === undefined ? undefined : guard.proofs.read(asking, proof)
  // It may have become harder by one step since the challenge was issued.
  if (solved && solved.difficulty * 2 >= difficulty && solved.expiresAt > now) {
    // A row is kept for a day longer, in case the clock is set back.
    const expiresAt = new Date(solved.expiresAt.getTime() + 86_400_000)
    const spent = await transaction(db, (tx) => spendChallenge(tx, { ...solved, expiresAt }))
    if (spent === 'used') {
      return { charged: await chargeAnyway(db, unproved), rank: isEager ? 'others' : 'proved' }
    }
  }
  const open = difficulty === 0 && !isBusy?.() ? await charge(db, [unproved]) : undefined
  if (open) return { charged: open, rank: 'others' }
  const known = await chargeKnown(context, actor, device)
  if (known) return { charged: known, rank: 'proved' }
  const challenge = guard.proofs.issue(asking, difficulty || 2 ** bits.least, now)
  throw new DomainError('challenge-required', { challenge })
}

/**
 * A challenge, for a client that solves it before its call. Null where none is needed. Throws a
 * refusal that names `email`.
 */
export async function askChallenge(context: GuardContext, actor: Actor, { purpose, email }: Asked) {
  const { attempts, buckets, guard } = context
  const asked = { purpose, email: requireEmail(email) }
  if (!guard) return { challenge: null }
  const wanted = limitsOf(buckets, actor, asked)
  // Anybody can ask, so few of one source are looked up at a time.
  return attempts.inTurn(wanted[0].key, async () => {
    const { now, difficulty, level } = await readDemand(context, guard, actor.ip, wanted)
    const isOpen = difficulty === 0 && level <= buckets.unproved().burst - 1
    return {
      challenge: isOpen ? null : guard.proofs.issue(asked, difficulty || 2 ** bits.least, now)
    }
  })
}

/** How hard a challenge must be now; 0 while none is needed. */
async function readDemand(
  { db, buckets }: Pick<GuardContext, 'db' | 'buckets'>,
  { isSuspect }: Pick<Guard, 'isSuspect'>,
  ip: string | undefined,
  source: AttemptBuckets | []
) {
  const unproved = buckets.unproved()
  const [[level = 0, ...used], { now, isLow, ...share }] = await Promise.all([
    readUsed(db, [unproved, ...source]),
    readConfirmations(db)
  ])
  const parts = source.map(({ limit, burst }, i) =>
    limit === 'mail-address' ? 0 : (used[i] ?? 0) / burst
  )
  // From half of its limit on, a source pays more with each call.
  const part = Math.min(1, Math.max(0, ...parts)) - 0.5
  const suspect = isSuspect(ip)
  const sum =
    bits.least +
    Number(isLow) +
    Number(level >= 2 * unproved.burst) +
    Math.max(0, Math.floor(part * 2 * bits.ofSource)) +
    (suspect ? bits.ofSuspects : 0)
  const isEager = part > 0
  const isQuiet = !isLow && !suspect && !isEager
  const difficulty = isQuiet ? 0 : 2 ** Math.min(sum, bits.most)
  return { now, difficulty, isEager, level, isLow, ...share }
}

/** Fewer mails in an hour may be those of a few people who forget about them. */
const few = 20

/**
 * For operators: the mails that ask to confirm an address, the difficulty of a challenge for a new
 * source, and whether it looks as if somebody registers strangers.
 */
export async function readSignUps({ db, buckets }: Pick<GuardContext, 'db' | 'buckets'>) {
  const [{ sent, confirmed, isLow, level, difficulty }, hour] = await Promise.all([
    readDemand({ db, buckets }, { isSuspect: () => false }, undefined, []),
    readHour(db)
  ])
  const isCrowded = level > buckets.unproved().burst - 1
  return {
    sentInHour: hour.sent,
    recent: sent,
    confirmed,
    difficulty: difficulty || (isCrowded ? 2 ** bits.least : 0),
    suspicious: isLow || (hour.sent >= few && hour.confirmed < 0.3 * hour.sent)
  }
}

/**
 * Charges a call from a device or a session of a confirmed account to the account: one of them does
 * not open the way for a thousand calls.
 */
async function chargeKnown(
  { db, buckets, devices }: GuardContext,
  actor: Actor,
  cookie: string | undefined
) {
  const device = devices.read(cookie)
  const id = actor.id ?? device?.id
  if (id === undefined) return undefined
  const [user] = await db
    .select({ credentialVersion: users.credentialVersion, verifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, id))
  if (!user?.verifiedAt) return undefined
  const isOwn = actor.id !== undefined || (device && isOf(device, { id, ...user }))
  return isOwn ? charge(db, [buckets.mailByKnown(id)]) : undefined
}
