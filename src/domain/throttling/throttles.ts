import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { throttle } from '../../../db/schema/throttle.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import type { Bucket } from './buckets.ts'

// The rate limits of the database: GCRA, one row for each bucket.

/** The charge of an attempt, so that it can be returned. */
export type Charge = (Pick<Bucket, 'key' | 'seconds' | 'success' | 'alsoClears'> & {
  /** Failures in a row, if this attempt fails as well. */
  fails?: number
})[]

/** Thrown to roll back the charges of the other buckets. */
class NoRoom extends Error {}

/**
 * The buckets that are full now, with the seconds until one attempt has room and the failures in a
 * row. Reads without locks, so that rejected attempts do not wait.
 */
export async function findFull(db: Db, buckets: readonly Bucket[]) {
  const found = await readRows(db, buckets)
  return found.flatMap(({ bucket, row }) => {
    if (!row || row.left > horizon(bucket)) return []
    const { step, room } = paceOf(bucket, row.fails)
    const seconds = row.left - (room - 1) * step
    return seconds > 0 ? [{ bucket, seconds, fails: row.fails }] : []
  })
}

/** How many attempts each bucket counts now, with one that is half forgotten. */
export async function readUsed(db: Db, buckets: readonly Bucket[]) {
  const found = await readRows(db, buckets)
  return found.map(({ bucket, row }) => Math.ceil(Math.max(0, row?.left ?? 0) / bucket.seconds))
}

/** The row of each bucket, with the seconds until all of its attempts are forgotten. */
async function readRows(db: Db, buckets: readonly Bucket[]) {
  const left = sql`extract(epoch from ${throttle.tat} - clock_timestamp())::float8`.mapWith(Number)
  const keys = buckets.map(({ key }) => key)
  const rows = await db
    .select({ key: throttle.bucket, fails: throttle.fails, left })
    .from(throttle)
    .where(inArray(throttle.bucket, keys))
  return buckets.map((bucket) => ({
    bucket,
    row: rows.find(({ key }) => bucket.key.equals(key))
  }))
}

/**
 * Charges one attempt to all of the buckets, or to none: undefined when one of them is full. Locks
 * the rows in a fixed order to prevent deadlocks.
 */
export async function charge(db: Db, buckets: readonly Bucket[]): Promise<Charge | undefined> {
  const ordered = buckets.toSorted((a, b) => Buffer.compare(a.key, b.key))
  try {
    return await transaction(db, async (tx) => {
      const rows = await Promise.all(ordered.map((bucket) => chargeOne(tx, bucket)))
      return ordered.map((bucket, i): Charge[number] => {
        const fails = rows[i]?.fails
        if (fails === undefined) throw new NoRoom()
        return { ...bucket, seconds: paceOf(bucket, fails - 1).step, fails }
      })
    })
  } catch (error) {
    if (error instanceof NoRoom) return undefined
    throw error
  }
}

/** GCRA in one statement, which is exact under concurrency. Undefined when there is no room. */
async function chargeOne(tx: Db, bucket: Bucket) {
  const { key, seconds, slow } = bucket
  const normal = paceOf(bucket, 0)
  const pick = (column: SQL, otherwise: SQL) =>
    slow
      ? sql`case when ${throttle.fails} >= ${slow.after} then ${column} else ${otherwise} end`
      : otherwise
  const step = pick(ofSeconds(slow?.seconds ?? 0), ofSeconds(normal.step))
  const room = pick(sql`1`, sql`${normal.room}::int`)
  // Only a clock that was set back explains such a time. One attempt is then admitted.
  const isSetBack = sql`${throttle.tat} > clock_timestamp() + ${ofSeconds(horizon(bucket))}`
  const used = sql`case when ${isSetBack} then clock_timestamp() + (${step}) * ((${room}) - 1)
    else greatest(${throttle.tat}, clock_timestamp()) end`
  const [row] = await tx
    .insert(throttle)
    .values({ bucket: key, tat: sql`clock_timestamp() + ${ofSeconds(seconds)}`, fails: 1 })
    .onConflictDoUpdate({
      target: throttle.bucket,
      set: { tat: sql`${used} + ${step}`, fails: sql`${throttle.fails} + 1` },
      setWhere: sql`${isSetBack}
        or ${throttle.tat} <= clock_timestamp() + (${step}) * ((${room}) - 1)`
    })
    .returning({ fails: throttle.fails })
  return row
}

/** The pace after this many failures: `room` attempts at once, then one every `step` seconds. */
const paceOf = ({ burst, seconds, slow }: Bucket, fails: number) =>
  slow && fails >= slow.after ? { step: slow.seconds, room: 1 } : { step: seconds, room: burst }

/** Maximum number of seconds until the full limit of a bucket is available again. */
const horizon = ({ burst, seconds, slow }: Bucket) => Math.max(burst * seconds, slow?.seconds ?? 0)

/** Returns a charge after an error, which is the one to report if this fails as well. */
export const giveBackAfterError = (db: Db, charge: Charge, why: 'success' | 'refused') =>
  transaction(db, (tx) => giveBack(tx, charge, why)).catch(() => {})

/**
 * Returns a charge exactly: in the transaction of a success, or when the attempt was not made.
 * Locks the rows in the order of `charge`, to prevent deadlocks.
 */
export async function giveBack(tx: Db, charge: Charge, why: 'success' | 'refused') {
  const clears = why === 'success'
  const returned = charge.map(({ key, seconds, success }) => ({
    set: {
      tat: sql`${throttle.tat} - ${ofSeconds(seconds)}`,
      fails: clears && success === 'clears' ? 0 : sql`greatest(${throttle.fails} - 1, 0)`
    },
    key,
    where: eq(throttle.bucket, key)
  }))
  const cleared = charge.flatMap(({ alsoClears: key }) =>
    clears && key
      ? [{ set: { fails: 0 }, key, where: and(eq(throttle.bucket, key), gt(throttle.fails, 0)) }]
      : []
  )
  const ordered = [...returned, ...cleared].sort((a, b) => Buffer.compare(a.key, b.key))
  await Promise.all(ordered.map(({ set, where }) => tx.update(throttle).set(set).where(where)))
}
