import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable } from 'drizzle-orm/pg-core'
import { bytea, createdAt, isSha256 } from './columns.ts'

/**
 * The changes of other systems that named an Idempotency-Key, written in their transactions. A
 * request that is sent again does not make them again.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** A SHA-256 of the owner of the API key and the Idempotency-Key. */
    hash: bytea('hash').primaryKey(),
    /** A SHA-256 of the request. */
    request: bytea('request').notNull(),
    /** The result of the change. Null once the user in it is deleted. */
    result: jsonb('result').$type<object>(),
    createdAt: createdAt()
  },
  (table) => [
    index('idempotency_keys_created').on(table.createdAt),
    index('idempotency_keys_user').on(sql`(${table.result}->>'id')`),
    check('idempotency_keys_hash', isSha256(table.hash)),
    check('idempotency_keys_request', isSha256(table.request))
  ]
)
