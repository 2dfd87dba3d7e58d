import { bigint, pgTable, smallint } from 'drizzle-orm/pg-core'

/**
 * The shard of a user follows from the last byte of the id, which is random, in a UUIDv7 too.
 * Changing the number of shards takes a migration.
 */
export const userShards = 64
export const userScope = (userId: string) => Number.parseInt(userId.slice(-2), 16) % userShards
export const rolesScope = 64
export const flagsScope = 65
export const scopeCount = 66

/**
 * A random value per scope. Every transaction that could change the result of a session check
 * replaces it. Not a counter, which could return to an earlier value after a failover or a restore.
 */
export const epochs = pgTable('epochs', {
  scope: smallint('scope').primaryKey(),
  value: bigint('value', { mode: 'bigint' }).notNull()
})
