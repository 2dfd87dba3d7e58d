import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { PgUpdateSetSource, SelectedFields } from 'drizzle-orm/pg-core'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import { v7 as uuid } from 'uuid'
import type { Db } from '../../../db/engine.ts'
import type { outbox } from '../../../db/schema/outbox.ts'
import type { deliveries } from '../../../db/schema/webhooks.ts'
import { ofSeconds } from '../../../db/time.ts'
import { transaction } from '../../../db/transaction.ts'
import { randomFraction } from '../crypto.ts'

/** A table of what is sent in the background, at least once: mails, or events for webhooks. */
export type Queue = typeof outbox | typeof deliveries
export type Columns = PgUpdateSetSource<typeof outbox> | PgUpdateSetSource<typeof deliveries>

/** A row that its worker may send and settle, as long as it has the lease. */
export interface Leased {
  id: string
  lease: string
}

/** The row belongs to another worker by now: the transaction must not take effect. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Drizzle knows the types of one table at a time. */
const update = (tx: Db, queue: Queue, columns: Columns) =>
  tx.update(queue as typeof outbox).set(columns as PgUpdateSetSource<typeof outbox>)

/**
 * The time of the next attempt has come. Stored times are rounded to the millisecond, so a row that
 * is due now may have a slightly later time.
 */
export const isDue = ({ nextAt }: Queue) => lte(nextAt, sql`now() + interval '1 millisecond'`)

/** With a literal: a prepared statement with a parameter could not use the partial index. */
export const isPending = ({ state }: Queue) => eq(state, sql`'pending'`)

/** For a select of a queue: the number of rows, and the age of the oldest in seconds, or 0. */
export const backlogOf = ({ createdAt }: Queue) => ({
  pending: sql<number>`count(*)::int`,
  oldestSeconds: sql<number>`
    greatest(extract(epoch from now() - min(${createdAt})), 0)::float8`
})

interface Lease<Fields> {
  /** Which rows, locked by `for update skip locked`. */
  which: SQL | undefined
  /** Longer than an attempt may take, or two workers would make the same one at once. */
  seconds: number
  columns?: Columns
  returning: Fields
}

/**
 * Leases rows. An attempt counts from here on, so that a row that kills its process does so a
 * limited number of times.
 */
export async function leaseRows<Fields extends SelectedFields>(
  tx: Db,
  queue: Queue,
  { which, seconds, columns, returning }: Lease<Fields>
) {
  const lease = uuid()
  const attempts = sql`${queue.attempts} + 1`
  const rows = await update(tx, queue, { lease, attempts, nextAt: after(seconds), ...columns })
    .where(which)
    .returning(returning)
  return (rows as SelectResultFields<Fields>[]).map((row) => ({ ...row, lease }))
}

/** Changes a row that is leased. Throws LeaseLost. */
export async function writeLeased(tx: Db, queue: Queue, { id, lease }: Leased, columns: Columns) {
  const written = await update(tx, queue, columns)
    .where(and(eq(queue.id, id), eq(queue.lease, lease)))
    .returning({ id: queue.id })
  if (written.length === 0) throw new LeaseLost()
}

/** Undoes leases: the attempt does not count, and another worker can make it. */
export async function releaseRows(
  db: Db,
  queue: Queue,
  rows: readonly Leased[],
  columns: Columns = {}
) {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const leases = rows.map(({ lease }) => lease)
  await transaction(db, (tx) =>
    update(tx, queue, {
      lease: null,
      attempts: sql`${queue.attempts} - 1`,
      nextAt: sql`now()`,
      ...columns
    }).where(and(inArray(queue.id, ids), inArray(queue.lease, leases)))
  )
}

/** The time after these seconds. */
export const after = (seconds: number | SQL) => sql`now() + ${ofSeconds(seconds)}`

/** 20 % more or less, so that what failed together is not repeated together. */
export const spread = (time: number) => time * (0.8 + 0.4 * randomFraction())

/** Rows of one transaction, so that it ends within the statement timeout. */
const batch = 10_000

/** Repeats the change of a batch until it is smaller, and returns the number of all rows. */
export async function runBatches(change: (limit: number) => Promise<number>) {
  for (let total = 0; ;) {
    const count = await change(batch)
    total += count
    if (count < batch) return total
  }
}

/**
 * Makes a batch of rows due at once, with their attempts begun anew, and returns its number. Has no
 * effect on what is leased.
 */
export async function makeDue(tx: Db, queue: Queue, which: SQL | undefined, columns: Columns = {}) {
  const isWanted = and(which, isNull(queue.lease))
  const ids = tx.select({ id: queue.id }).from(queue).where(isWanted).limit(batch)
  const anew = { state: 'pending', attempts: 0, nextAt: sql`now()`, doneAt: null } as const
  const due = await update(tx, queue, { ...anew, ...columns })
    .where(and(sql`${queue.id} = any(array(${ids}))`, isWanted))
    .returning({ id: queue.id })
  return due.length
}
