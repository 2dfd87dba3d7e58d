import { asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { isDatabaseAway, isRetryable } from '../../db/errors.ts'
import { throttle } from '../../db/schema/throttle.ts'
import { retried, transaction } from '../../db/transaction.ts'
import { record } from './activity.ts'
import type { Actor } from './activity.ts'
import { hmac } from './crypto.ts'
import { DomainError, rateLimited } from './errors.ts'
import { networksOf } from './networks.ts'

/** `burst` tries at once, then one every `seconds`. */
export interface Budget { burst: number, seconds: number }

export interface Budgets { loginPair: Budget, loginSource: Budget, loginAccount: Budget, loginDevice: Budget, register: Budget, password: Budget }

interface Bucket extends Budget {
  /** Which budget, for the record of a refusal. */
  limit: string
  key: Buffer
  /** What a success does to the count of failures: an address may belong to many. */
  success?: 'clears'
  /** After so many failures in a row one try at a time, `seconds` apart. */
  slow?: { after: number, seconds: number }
}

/** What a try took, so that it can be given back. */
export type Charge = Pick<Bucket, 'key' | 'seconds' | 'success'>[]

/** One site's networks may be many clients'. */
const siteFactor = 10
const slowAfter = 100
const slowFactor = 30

export type Buckets = ReturnType<typeof bucketsOf>

/** The buckets that a try is counted in. `key` is for nothing else: only with it can a name be guessed from the table. */
export function bucketsOf (key: Uint8Array, budgets: Budgets) {
  const bucket = (limit: string, value: string, budget: Budget): Bucket => ({ limit, key: hmac('sha256', key, `${limit}\0${value}`), ...budget })
  const sources = (limit: string, ip: string | undefined, budget: Budget) => {
    const [own, site] = networksOf(ip)
    return [bucket(limit, own, budget), ...site ? [bucket(limit, site, { burst: budget.burst * siteFactor, seconds: budget.seconds / siteFactor })] : []]
  }
  const account = (emailNormalized: string): Bucket => ({
    ...bucket('login-account', emailNormalized, budgets.loginAccount),
    success: 'clears',
    slow: { after: slowAfter, seconds: budgets.loginAccount.seconds * slowFactor }
  })
  return {
    /**
     * A known device has a budget of its own instead of those that others can use up: the account's, and that of the account from this address.
     * @param device its nonce, when it is one
     */
    login: (emailNormalized: string, ip: string | undefined, device: string | undefined): Bucket[] => [
      ...sources('login-source', ip, budgets.loginSource),
      ...device !== undefined
        ? [{ ...bucket('login-device', device, budgets.loginDevice), success: 'clears' as const }]
        : [{ ...bucket('login-pair', `${emailNormalized}\0${networksOf(ip)[0]}`, budgets.loginPair), success: 'clears' as const }, account(emailNormalized)]
    ],
    account,
    register: (ip: string | undefined): Bucket[] => sources('register', ip, budgets.register),
    password: (userId: string): Bucket[] => [{ ...bucket('password', userId, budgets.password), success: 'clears' }]
  }
}

/**
 * Counts a try before its work is done, and does the work. A try that was refused for want of capacity costs nothing.
 * Throws `rate-limited`, and then nothing was counted.
 */
export async function throttled<T> (db: Db, buckets: Bucket[], userId: string | undefined, work: (charge: Charge) => Promise<T>): Promise<T> {
  const charged = await charge(db, buckets, userId)
  try {
    return await work(charged)
  } catch (error) {
    const incapable = isDatabaseAway(error) || isRetryable(error) || (error instanceof DomainError && error.statusCode === 503)
    if (incapable) await transaction(db, (tx) => giveBack(tx, charged, 'refused')).catch(() => {}) // the first error is the one to tell
    throw error
  }
}

/** All of them or none, in one order for everybody, so that two tries never wait for each other. */
async function charge (db: Db, buckets: Bucket[], userId: string | undefined): Promise<Charge> {
  const ordered = buckets.toSorted((a, b) => Buffer.compare(a.key, b.key))
  return transaction(db, async (tx) => {
    const charged = await Promise.all(ordered.map((bucket) => chargeOne(tx, bucket)))
    const full = ordered.filter((_, i) => !charged[i])
    // Thrown in the transaction: what the other buckets were charged is undone with it.
    if (full.length > 0) throw rateLimited(await longestWait(tx, full), { limit: full[0]?.limit ?? '', userId })
    return ordered.map((bucket, i) => ({ ...bucket, seconds: wasSlow(bucket, charged[i]?.fails ?? 1) ? bucket.slow?.seconds ?? 0 : bucket.seconds }))
  })
}

/** GCRA in one statement, exact however many try at once. Undefined when the budget is used up. */
async function chargeOne (tx: Db, { key, burst, seconds, slow }: Bucket) {
  const step = slow ? sql`case when ${throttle.fails} >= ${slow.after} then ${interval(slow.seconds)} else ${interval(seconds)} end` : interval(seconds)
  const room = slow ? sql`case when ${throttle.fails} >= ${slow.after} then 1 else ${burst}::int end` : sql`${burst}::int`
  const next = sql`greatest(${throttle.tat}, clock_timestamp()) + ${step}`
  const [row] = await tx.insert(throttle).values({ bucket: key, tat: sql`clock_timestamp() + ${interval(seconds)}`, fails: 1 })
    .onConflictDoUpdate({ target: throttle.bucket, set: { tat: next, fails: sql`${throttle.fails} + 1` }, setWhere: sql`${next} <= clock_timestamp() + (${step}) * (${room})` })
    .returning({ fails: throttle.fails })
  return row
}

/** @param fails after the try was counted */
const wasSlow = ({ slow }: Bucket, fails: number) => slow !== undefined && fails > slow.after

/** Whole seconds until the last of these has room for one try. */
async function longestWait (tx: Db, full: Bucket[]) {
  const rows = await tx.select({ key: throttle.bucket, fails: throttle.fails, until: sql`extract(epoch from ${throttle.tat} - clock_timestamp())::float8`.mapWith(Number) })
    .from(throttle).where(inArray(throttle.bucket, full.map(({ key }) => key)))
  return Math.max(1, ...full.map((bucket) => {
    const row = rows.find(({ key }) => bucket.key.equals(key))
    if (!row) return 1
    const isSlow = wasSlow(bucket, row.fails + 1)
    return Math.ceil(row.until - (isSlow ? 0 : (bucket.burst - 1) * bucket.seconds))
  }))
}

/** Returns exactly what was taken: at the end of the transaction of a success, or for a try that was never made. */
export async function giveBack (tx: Db, charge: Charge, why: 'success' | 'refused') {
  for (const { key, seconds, success } of charge) {
    await tx.update(throttle).set({
      tat: sql`${throttle.tat} - ${interval(seconds)}`,
      fails: why === 'success' && success === 'clears' ? 0 : sql`greatest(${throttle.fails} - 1, 0)`
    }).where(eq(throttle.bucket, key))
  }
}

/** Forgets what was counted against an account: an operator's decision. */
export async function resetThrottle (db: Db, actor: Actor, { key, limit }: Bucket, userId: string) {
  await transaction(db, async (tx) => {
    const deleted = await tx.delete(throttle).where(eq(throttle.bucket, key)).returning({ fails: throttle.fails })
    if (deleted.length > 0) await record(tx, actor, 'throttle.reset', { target: { type: 'user', id: userId }, details: { limit } })
  })
}

/** Deletes buckets that have been full for a day, at most `limit`; returns how many. */
export async function deleteOldThrottles (db: Db, limit: number): Promise<number> {
  const old = db.select({ bucket: throttle.bucket }).from(throttle).where(lt(throttle.tat, sql`now() - interval '24 hours'`))
    .orderBy(asc(throttle.tat)).limit(limit)
  const deleted = await retried(() => db.delete(throttle).where(inArray(throttle.bucket, old)).returning({ bucket: throttle.bucket }))
  return deleted.length
}

const interval = (seconds: number): SQL => sql`make_interval(secs => ${seconds}::float8)`
