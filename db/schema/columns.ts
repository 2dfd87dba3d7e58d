import { inArray } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { customType, timestamp } from 'drizzle-orm/pg-core'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** Milliseconds, because a JavaScript date has no more: a keyset walk over finer times skips rows. */
export const instant = (name: string) => timestamp(name, { precision: 3, withTimezone: true })

export const createdAt = () => instant('created_at').notNull().defaultNow()
export const updatedAt = () => instant('updated_at').notNull().defaultNow()

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea'
})

/** The condition of a CHECK that holds a text column to its vocabulary. */
export const isOneOf = (column: AnyPgColumn, words: readonly string[]): SQL =>
  inArray(column, [...words]).inlineParams()
