import { bigint, pgTable, smallint } from 'drizzle-orm/pg-core'

/** A user belongs to the shard of the last byte of their id: random bits, in a UUIDv7 too. Changing this is a migration. */
export const userShards = 64
export const userScope = (userId: string) => Number.parseInt(userId.slice(-2), 16) % userShards
export const rolesScope = 64
export const flagsScope = 65
export const scopeCount = 66

/**
 * A random value per scope, replaced by every transaction that changes what a session check could answer.
 * Random and not counted up: a counter could come back to a number already seen after a failover or a restore.
 */
export const epochs = pgTable('epochs', {
  scope: smallint('scope').primaryKey(),
  value: bigint('value', { mode: 'bigint' }).notNull()
})
