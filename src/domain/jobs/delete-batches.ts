import { and, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/engine.ts'
import { transaction } from '../../../db/transaction.ts'

export interface ExpiredRows {
  table: PgTable
  key: PgColumn
  /** A time. An index has to begin with it, unless the table stays small. */
  at: PgColumn | SQL
  before: SQL
  /** The condition of a partial index. */
  indexed?: SQL
  /** The table may be partitioned by `at`. */
  partitioned?: true
  /** Old rows to keep nevertheless. Every walk reads them, so they must be few. */
  unless?: SQL | undefined
}

/** The last row that was read. */
interface Position {
  /** A text, because the times of some tables have microseconds. */
  at: string
  key: unknown
}

export interface Batch {
  deleted: number
  /** Where the next batch begins, undefined after the last one. */
  next: Position | undefined
}

/**
 * Reads at most `limit` old rows, oldest first, and deletes them. Begins after `position`, because
 * rows deleted before stay in the index until they are vacuumed, which a long transaction delays.
 */
export async function deleteOld(
  db: Db,
  { table, key, at, before, indexed, partitioned, unless }: ExpiredRows,
  limit: number,
  position?: Position
): Promise<Batch> {
  const old = and(sql`${at} < ${before}`, indexed)
  const after =
    position &&
    sql`(${at}, ${key}) > (${position.at}::timestamptz, ${sql.param(position.key, key)})`
  const read = db.$with('read').as(
    db
      .select({ key: sql<unknown>`${key}`.as('key'), at: sql<unknown>`${at}`.as('at') })
      .from(table)
      .where(and(old, after))
      .orderBy(sql`${at}`, key)
      .limit(limit)
  )
  const keys = db.select({ key: read.key }).from(read)
  // Otherwise each partition would be searched for each key.
  const oldest = sql`(select min(${read.at}) from ${read})`
  const newest = sql`(select max(${read.at}) from ${read})`
  const inSpan = partitioned && sql`${at} between ${oldest} and ${newest}`
  const deleted = db.$with('deleted').as(
    db
      .delete(table)
      // Repeats the condition, because a row may have changed since it was read. Written with an
      // array and "is true", it makes the planner look the rows up by key.
      .where(
        and(
          sql`${key} = any(array(${keys}))`,
          sql`(${old}) is true`,
          inSpan,
          unless && sql`not ${unless}`
        )
      )
      .returning({ key: sql`${key}`.as('key') })
  )
  const [last] = await transaction(db, (tx) =>
    tx
      .with(read, deleted)
      .select({
        at: sql<string>`${read.at}::text`.as('last_at'),
        key: sql<unknown>`${read.key}`.as('last_key'),
        read: sql`(select count(*) from ${read})`.mapWith(Number),
        deleted: sql`(select count(*) from ${deleted})`.mapWith(Number)
      })
      .from(read)
      .orderBy(sql`${read.at} desc`, sql`${read.key} desc`)
      .limit(1)
  )
  return {
    deleted: last?.deleted ?? 0,
    next: last?.read === limit ? { at: last.at, key: last.key } : undefined
  }
}
