import { and, eq, isNotNull } from 'drizzle-orm'
import { users } from '../../../db/schema/users.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Actor } from '../actor.ts'
import type { Rank } from '../bulkhead.ts'
import { DomainError } from '../errors.ts'
import { spendChallenge } from '../factors/challenges.ts'
import type { Buckets, AttemptBuckets } from '../throttling/buckets.ts'
import { findDevice, throttled } from '../throttling/admission.ts'
import type { Proved, ThrottleContext } from '../throttling/admission.ts'
import type { Devices } from '../throttling/devices.ts'
import { charge, readUsed } from '../throttling/throttles.ts'
import type { Charge } from '../throttling/throttles.ts'
import { requireEmail } from '../users/emails.ts'
import { countInHour, readConfirmations } from './confirmed-share.ts'
import type { Asked, Proofs } from './proofs.ts'

interface GuardContext extends ThrottleContext {
  buckets: Buckets
  devices: Devices
  /** Undefined where no mail can be sent. */
  guard?: Guard | undefined
}

export interface Guard {
  proofs: Proofs
  /** Whether operators distrust the network of this address. */
  isSuspect(ip: string | undefined): boolean
}

/** The parts of a request that may spare it a challenge. */
export interface Presented {
  /** A solved challenge. */
  proof?: string | undefined
  /** The cookie of a known device. */
  device?: string | undefined
}

/** A call that causes mail. */
interface Asking extends Asked, Presented {
  /** Whether calls without a proof wait for a hash already: then this one needs a proof. */
  isBusy?: () => boolean
}

/** Powers of two. */
const bits = { least: 16, most: 22, ofSuspects: 2, ofSource: 4 }
/** Mails of an hour that are not confirmed. Fewer may be those of people who forget about them. */
const few = 20
const many = 40

/**
 * Counts an attempt that causes mail, after its proof, then does its work as `throttled` does.
 * Throws `challenge-required`, `rate-limited` and `overloaded`.
 */
export function throttledWithProof<T>(
  context: GuardContext,
  actor: Actor,
  asking: Asking,
  work: (charge: Charge, requireTime: () => void, rank: Rank) => Promise<T>
): Promise<T> {
  const { guard, buckets } = context
  const wanted = buckets.mail(actor, asking.purpose, asking.email)
  const prove = guard && (() => requireProof({ ...context, guard }, actor, asking, wanted))
  return throttled(context, { wanted, prove, arrived: actor.arrived }, work)
}

/**
 * Lets a call pass that would send mail to somebody who may not have asked for it: with the
 * solution of a challenge, from a known device, or while little such mail is unconfirmed. Nothing
 * is looked up that depends on the address. Returns what was charged. Throws `challenge-required`.
 */
async function requireProof(
  context: GuardContext & { guard: Guard },
  actor: Actor,
  asking: Asking,
  wanted: AttemptBuckets
): Promise<Proved> {
  const { db, buckets, guard } = context
  const { proof, device, isBusy } = asking
  const { now, isOpen, isEager, difficulty } = await readDemand(context, actor.ip, wanted)
  const solved = proof === undefined ? undefined : guard.proofs.read(asking, proof)
  // It may have become harder by one step since the challenge was issued.
  if (solved && solved.difficulty * 2 >= difficulty && solved.expiresAt > now) {
    // A row is kept for a day longer, in case the clock is set back.
    const expiresAt = new Date(solved.expiresAt.getTime() + 86_400_000)
    const spent = await transaction(db, (tx) => spendChallenge(tx, { ...solved, expiresAt }))
    if (spent === 'used') return { charged: [], rank: isEager ? 'others' : 'proved' }
  }
  const charged =
    isOpen && !isBusy?.() ? await charge(db, [buckets.ofAll('mail-unproved')]) : undefined
  if (charged) return { charged, rank: 'others' }
  const known = await chargeKnown(context, actor, device)
  if (known) return { charged: known, rank: 'proved' }
  throw new DomainError('challenge-required', {
    challenge: guard.proofs.issue(asking, difficulty, now)
  })
}

/**
 * A challenge, for a client that solves it before its call. Null where none is needed. Throws a
 * refusal that names `email`.
 */
export async function askChallenge(context: GuardContext, actor: Actor, { purpose, email }: Asked) {
  const { attempts, buckets, guard } = context
  const asked = { purpose, email: requireEmail(email) }
  const wanted = buckets.mail(actor, purpose, asked.email)
  // Anybody can ask, so few of one source are looked up at a time.
  return attempts.inTurn(wanted[0].key, async () => {
    const { now, isOpen, difficulty } = await readDemand(context, actor.ip, wanted)
    return { challenge: !guard || isOpen ? null : guard.proofs.issue(asked, difficulty, now) }
  })
}

/** Whether a call needs no proof now, and how hard its challenge would be. */
async function readDemand(
  { db, buckets, guard }: Pick<GuardContext, 'db' | 'buckets' | 'guard'>,
  ip?: string,
  source: AttemptBuckets | [] = []
) {
  const unproved = buckets.ofAll('mail-unproved')
  const [[level = 0, ...used], mails] = await Promise.all([
    readUsed(db, [unproved, ...source]),
    readConfirmations(db)
  ])
  // From half of its limit on, a source pays more with each call.
  const parts = source.map(({ limit, burst }, i) =>
    limit === 'mail-address' ? 0 : (used[i] ?? 0) / burst
  )
  const excess = Math.min(1, Math.max(0.5, ...parts)) - 0.5
  const isEager = excess > 0
  const isSuspect = guard?.isSuspect(ip) ?? false
  const sum =
    bits.least +
    Number(mails.isLow) +
    Number(mails.open > many) +
    Math.floor(excess * 2 * bits.ofSource) +
    (isSuspect ? bits.ofSuspects : 0)
  return {
    ...mails,
    isEager,
    isOpen: level <= unproved.burst - 1 && !mails.isLow && !isSuspect && !isEager,
    difficulty: 2 ** Math.min(sum, bits.most)
  }
}

/**
 * For operators: the mails that ask to confirm an address, the difficulty of a challenge for a new
 * source, and whether it looks as if somebody registers strangers.
 */
export async function readSignUps({ db, buckets }: Pick<GuardContext, 'db' | 'buckets'>) {
  const [demand, sentInHour] = await Promise.all([readDemand({ db, buckets }), countInHour(db)])
  const { sent: recent, confirmed, open, isLow, isOpen, difficulty } = demand
  const suspicious = isLow || (sentInHour >= few && open / sentInHour > 0.7)
  return { sentInHour, recent, confirmed, difficulty: isOpen ? 0 : difficulty, suspicious }
}

/**
 * Charges a call from a device or a session of a confirmed account to the account: one of them does
 * not open the way for a thousand calls.
 */
async function chargeKnown(context: GuardContext, actor: Actor, cookie: string | undefined) {
  const { db, buckets } = context
  const id = actor.id ?? (await findDevice(context, cookie))?.id
  if (id === undefined) return undefined
  const isConfirmed = and(eq(users.id, id), isNotNull(users.emailVerifiedAt))
  return (await db.$count(users, isConfirmed)) > 0
    ? charge(db, [buckets.mailByKnown(id)])
    : undefined
}
