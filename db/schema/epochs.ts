import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { bigint, check, pgTable, smallint } from 'drizzle-orm/pg-core'
import { bytea } from './columns.ts'

/**
 * The shard of a user follows from the last byte of the id, and the part of the shard from the byte
 * before it. Both are random, in a UUIDv7 too. Other numbers of shards or parts take a migration.
 */
export const userShards = 64
export const partsPerShard = 256
export const userScope = (userId: string) => Number.parseInt(userId.slice(-2), 16) % userShards
export const userPart = (userId: string) => Number.parseInt(userId.slice(-4, -2), 16)
export const rolesScope = 64
export const flagsScope = 65
export const scopeCount = 66

/** `userScope` in SQL; a test compares them. */
export const userScopeOf = (userId: SQL) =>
  sql`(get_byte(uuid_send(${userId}), 15) % ${userShards})`
export const userPartOf = (userId: SQL) => sql`get_byte(uuid_send(${userId}), 14)`

/**
 * A random value per scope. Every transaction that could change the result of a session check
 * replaces it. Not a counter, which could return to an earlier value after a failover or a restore.
 */
export const epochs = pgTable('epochs', {
  scope: smallint('scope').primaryKey(),
  value: bigint('value', { mode: 'bigint' }).notNull()
})

/** Bytes of the number of a part. */
export const numberSize = 8

/**
 * The parts of each shard, in one row: read only when the epoch of the shard has changed. A change
 * of a user replaces the number of the user's part and the epoch of the shard, which is in a table
 * of its own: PostgreSQL logs a row from the first byte to the last one that changed.
 */
export const epochParts = pgTable(
  'epoch_parts',
  {
    scope: smallint('scope').primaryKey(),
    /** Random numbers, one after another in the order of the parts. */
    numbers: bytea('numbers').notNull()
  },
  ({ numbers }) => [
    check(
      'epoch_parts_numbers',
      sql`octet_length(${numbers}) = ${partsPerShard * numberSize}`.inlineParams()
    )
  ]
)
