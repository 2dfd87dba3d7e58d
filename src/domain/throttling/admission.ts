import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { isDatabaseUnavailable, isRetryable } from '../../../db/errors.ts'
import { users } from '../../../db/schema/users.ts'
import { withSlack } from '../../../db/transaction.ts'
import { createBulkhead } from '../bulkhead.ts'
import type { Bulkhead, Rank } from '../bulkhead.ts'
import { DomainError, rateLimited } from '../errors.ts'
import type { RefusalDetails } from '../errors.ts'
import { setBounded } from '../lru.ts'
import { timeLimit } from '../time-left.ts'
import type { AttemptBuckets, KnownCaller } from './buckets.ts'
import { isOf } from './devices.ts'
import type { Devices } from './devices.ts'
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
  /** Called where the limits have room, before they count: it rejects, or charges other limits. */
  prove?: (() => Promise<Proved>) | undefined
}

export interface Proved {
  charged: Charge
  /** How soon the work may begin. */
  rank: Rank
}

/**
 * Counts an attempt, then does its work. An attempt that is rejected because the portal or the
 * database is overloaded is not counted. Throws `rate-limited` and `overloaded`.
 * @param work must call `requireTime` before it starts changes that the caller must learn about
 */
export async function throttled<T>(
  context: ThrottleContext,
  attempt: Try,
  work: (charge: Charge, requireTime: () => void, rank: Rank) => Promise<T>
): Promise<T> {
  const { db, attempts } = context
  const { wanted, known, arrived = performance.now() } = attempt
  const requireTime = timeLimit(arrived)
  const started = performance.now()
  const keys = wanted.map(({ key }) => key)
  if (!(await attempts.delay(keys))) throw refuse(attempts.cachedRefusals(keys, 0), wanted)
  const admitted = async () => {
    requireTime()
    const { charged, proved } = await admit(context, attempt, started)
    try {
      requireTime()
      return await work(charged, requireTime, proved.rank)
    } catch (error) {
      if (isIncapable(error)) {
        await giveBackAfterError(db, [...charged, ...proved.charged], 'refused')
      }
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
  { wanted, findUser, prove }: Try,
  since: number
): Promise<{ charged: Charge; proved: Proved }> {
  const keys = wanted.map(({ key }) => key)
  const cached = attempts.cachedRefusals(keys, since)
  if (cached.length > 0) throw refuse(cached, wanted)
  let at = performance.now()
  let full = await findFull(db, wanted)
  if (full.length === 0) {
    const proved = (await prove?.()) ?? { charged: [], rank: 'others' }
    const charged = await charge(db, wanted)
    if (charged) return { charged, proved }
    await giveBackAfterError(db, proved.charged, 'refused')
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

/** The device of a cookie, if it is genuine, and valid for its account. */
export async function findDevice(
  { db, devices, attempts }: ThrottleContext & { devices: Devices },
  cookie: string | undefined
) {
  const device = devices.read(cookie)
  if (!device) return undefined
  const find = () =>
    db
      .select({ id: users.id, credentialVersion: users.credentialVersion })
      .from(users)
      .where(eq(users.id, device.id))
  const [account] = await attempts.lookUpInTurn(Buffer.from(device.id), find)
  return account && isOf(device, account) ? device : undefined
}

/** Says when all of these have room. The record names the first: the address, if it is full. */
function refuse(refusals: CachedFullBucket[], [first]: AttemptBuckets) {
  const seconds = refusals.map(({ until }) => Math.ceil((until - performance.now()) / 1000))
  return rateLimited(Math.max(1, ...seconds), refusals[0]?.details ?? { limit: first.limit })
}

/** A bucket that was full when it was read. Times are of performance.now(). */
interface CachedFullBucket {
  /** Start of the read, which may reject every attempt that had arrived by then. */
  at: number
  /** Time at which the bucket has room again, unless an attempt is returned. */
  until: number
  details: RefusalDetails
}

/**
 * The longest time in milliseconds before a full bucket is read again: `each` for every waiting
 * attempt, so that about 250 are rejected per second, however many connections send them.
 */
const pause = { least: 200, each: 5, most: 5000 }
/** Maximum number of waiting attempts: one for each connection that a server accepts. */
export const waitingLimit = 4096
const refusalLimit = 10_000
/** Milliseconds in a queue. Together with the pause, less than a request may take. */
const maxWait = 8000

type AttemptQueue = ReturnType<typeof createAttemptQueue>

/**
 * Protects the database and other callers from attempts that will be rejected: they are slowed
 * down, one read rejects all attempts that arrived before it, and few of one source run at a time.
 * A refusal is never older than the attempt (unless too many wait), so resets and returned attempts
 * take effect at once.
 * @param atOnce attempts of one source that run at a time
 */
export function createAttemptQueue(atOnce: number) {
  const refusals = new Map<string, CachedFullBucket>()
  const ofAccount = queues(1)
  const ofKnown = queues(atOnce)
  let waiting = 0
  let turns = 0

  return {
    /** The buckets that were full in a read that began at `since` or later. */
    cachedRefusals(keys: Buffer[], since: number): CachedFullBucket[] {
      const now = performance.now()
      return keys.flatMap((key) => {
        const found = refusals.get(nameOf(key))
        return found && found.at >= since && found.until > now ? [found] : []
      })
    },
    cacheRefusal(key: Buffer, refusal: CachedFullBucket) {
      setBounded(refusals, nameOf(key), refusal, refusalLimit)
    },
    /** Waits if a bucket was full a moment ago. False when too many attempts wait. */
    async delay(keys: Buffer[]): Promise<boolean> {
      if (this.cachedRefusals(keys, performance.now() - pause.most).length === 0) return true
      if (waiting >= waitingLimit) return false
      waiting++
      // Multiples of the golden ratio are evenly spread, so attempts that arrive together leave one
      // by one.
      turns = (turns + 0.618034) % 1
      const most = Math.min(Math.max(waiting * pause.each, pause.least), pause.most)
      await sleep((most * (1 + turns)) / 2)
      waiting--
      return true
    },
    /**
     * Runs at most `atOnce` attempts of one source at a time. The others wait in a queue of this
     * source, so they do not delay other callers. Throws `overloaded` after waiting too long.
     */
    inTurn: queues(atOnce),
    /**
     * Runs one attempt of a known caller per account at a time, and `atOnce` per source.
     * Strangers do not wait in these queues, so they cannot hold up a known caller.
     */
    inTurnOfKnownCaller: <T>({ account, source }: KnownCaller, work: () => Promise<T>) =>
      ofAccount(account, () => ofKnown(source, work)),
    /** A queue for finding the account of a device. Its holders wait for each other only. */
    lookUpInTurn: queues(1)
  }
}

function queues(running: number) {
  const open = new Map<string, Bulkhead>()
  return async <T>(key: Buffer, work: () => Promise<T>): Promise<T> => {
    const name = nameOf(key)
    const queue =
      open.get(name) ??
      createBulkhead({
        running,
        waiting: waitingLimit,
        maxWait: withSlack(maxWait)
      })
    open.set(name, queue)
    try {
      return await queue.run(work)
    } catch (error) {
      if (isDatabaseUnavailable(error)) queue.clear() // it applies to all of them
      throw error
    } finally {
      if (queue.load().running === 0) open.delete(name)
    }
  }
}

const nameOf = (key: Buffer) => key.toString('latin1')
