import type { Db } from '../../../db/engine.ts'
import { isDatabaseUnavailable, isRetryable } from '../../../db/errors.ts'
import { DomainError, rateLimited } from '../errors.ts'
import { timeLimit } from '../time-left.ts'
import type { AttemptBuckets } from './buckets.ts'
import type { CachedFullBucket, AttemptQueue, KnownCaller } from './attempt-queue.ts'
import { charge, findFull, giveBackAfterError } from './throttles.ts'
import type { Charge } from './throttles.ts'

/** The parts of the context that count an attempt. */
export interface ThrottleContext {
  db: Db
  attempts: AttemptQueue
}

interface Try {
  wanted: AttemptBuckets
  /** Known callers wait in separate queues. */
  known?: KnownCaller | undefined
  /** Finds the id of the account concerned, for the record of a refusal. */
  findUser?: () => Promise<string | undefined>
  /** Arrival of the request, from performance.now(). By default now. */
  arrived?: number | undefined
}

/**
 * Counts an attempt, then does its work. An attempt that is rejected because the portal or the
 * database is overloaded is not counted. Throws `rate-limited` and `overloaded`.
 * @param work must call `requireTime` before it starts changes that the caller must learn about
 */
export async function throttled<T>(
  context: ThrottleContext,
  { wanted, known, findUser, arrived = performance.now() }: Try,
  work: (charge: Charge, requireTime: () => void) => Promise<T>
): Promise<T> {
  const { db, attempts } = context
  const requireTime = timeLimit(arrived)
  const started = performance.now()
  const keys = wanted.map(({ key }) => key)
  if (!(await attempts.delay(keys))) throw refuse(attempts.cachedRefusals(keys, 0), wanted)
  const admitted = async () => {
    requireTime()
    const charged = await admit(context, wanted, findUser, started)
    try {
      requireTime()
      return await work(charged, requireTime)
    } catch (error) {
      if (isIncapable(error)) await giveBackAfterError(db, charged, 'refused')
      throw error
    }
  }
  return known
    ? attempts.inTurnOfKnownCaller(known, admitted)
    : attempts.inTurn(wanted[0].key, admitted)
}

/** Whether the portal or its database was overloaded or unavailable. */
export const isIncapable = (error: unknown) =>
  isDatabaseUnavailable(error) ||
  isRetryable(error) ||
  (error instanceof DomainError && error.statusCode === 503)

/** A rejected attempt opens no transaction, and most need no database query. */
async function admit(
  { db, attempts }: ThrottleContext,
  wanted: AttemptBuckets,
  findUser: Try['findUser'],
  since: number
): Promise<Charge> {
  const keys = wanted.map(({ key }) => key)
  const cached = attempts.cachedRefusals(keys, since)
  if (cached.length > 0) throw refuse(cached, wanted)
  let at = performance.now()
  let full = await findFull(db, wanted)
  if (full.length === 0) {
    const charged = await charge(db, wanted)
    if (charged) return charged
    at = performance.now()
    full = await findFull(db, wanted)
  }
  const userId = full.some(({ bucket }) => bucket.personal) ? await findUser?.() : undefined
  throw refuse(
    full.map(({ bucket: { key, limit, personal }, seconds }) => {
      const details = { limit, userId: personal && userId }
      const refusal = { at, until: at + seconds * 1000, details }
      attempts.cacheRefusal(key, refusal)
      return refusal
    }),
    wanted
  )
}

/** Says when all of these have room. The record names the first: the address, if it is full. */
function refuse(refusals: CachedFullBucket[], [first]: AttemptBuckets) {
  const seconds = refusals.map(({ until }) => Math.ceil((until - performance.now()) / 1000))
  return rateLimited(Math.max(1, ...seconds), refusals[0]?.details ?? { limit: first.limit })
}
