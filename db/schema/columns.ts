import { inArray, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { customType, timestamp } from 'drizzle-orm/pg-core'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** In milliseconds, like a JavaScript date: with finer times, paging by keyset would skip rows. */
export const instant = (name: string) => timestamp(name, { precision: 3, withTimezone: true })

export const createdAt = () => instant('created_at').notNull().defaultNow()
export const updatedAt = () => instant('updated_at').notNull().defaultNow()

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea'
})

/** The condition of a CHECK that a text column has one of these values. */
export const isOneOf = (column: AnyPgColumn, words: readonly string[]): SQL =>
  inArray(column, [...words]).inlineParams()

/** The condition of a CHECK that a text has this form, as in the schema of the API. */
export const hasForm = (column: AnyPgColumn, form: RegExp): SQL =>
  sql`${column} ~ ${form.source}`.inlineParams()

export const isAtMost = (column: AnyPgColumn, { max }: { max: number }): SQL =>
  sql`char_length(${column}) <= ${max}`.inlineParams()

export const hasLength = (column: AnyPgColumn, { min, max }: { min: number; max: number }): SQL =>
  sql`char_length(${column}) between ${min} and ${max}`.inlineParams()

export const hasBytes = (column: AnyPgColumn, { min, max }: { min: number; max: number }): SQL =>
  sql`octet_length(${column}) between ${min} and ${max}`.inlineParams()

/** The condition of a CHECK that a column has a SHA-256. */
export const isSha256 = (column: AnyPgColumn): SQL => sql`octet_length(${column}) = 32`

const marks = sql`'[\\u0300-\\u036f]+'`

/**
 * The text that a search looks in: in lower case and without diacritics, each column after a space,
 * so that a pattern can ask for the beginning of a word.
 */
export function searchText(...columns: AnyPgColumn[]): SQL {
  const text = sql`' ' || ${sql.join(columns, sql` || ' ' || `)}`
  return sql`regexp_replace(lower(normalize(${text}, NFKD)), ${marks}, '', 'g')`
}

/** The keys of roles, services and providers, which are parts of addresses. */
export const keyForm = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** A UUID in lowercase. */
export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
