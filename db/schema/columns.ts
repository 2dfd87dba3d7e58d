import { inArray, sql } from 'drizzle-orm'
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

/** The condition of a CHECK that a text has this form, which the schema of the API shares. */
export const hasForm = (column: AnyPgColumn, form: RegExp): SQL =>
  sql`${column} ~ ${form.source}`.inlineParams()

export const isAtMost = (column: AnyPgColumn, { max }: { max: number }): SQL =>
  sql`char_length(${column}) <= ${max}`.inlineParams()

export const hasLength = (column: AnyPgColumn, { min, max }: { min: number; max: number }): SQL =>
  sql`char_length(${column}) between ${min} and ${max}`.inlineParams()

/** A UUID in its one spelling: in lower case. */
export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
