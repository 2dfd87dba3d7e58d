import { like, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** In the random part of the id of each row of the sample, so that it can be taken back. */
const mark = '-8a5a-73616d70'

export type NewId = (at: Date) => string

/** UUIDv7s of their times, in the order in which they were made. */
export function createIds(): NewId {
  let count = 0
  return (at) => {
    const time = at.getTime().toString(16).padStart(12, '0')
    const number = (count++).toString(16).padStart(4, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7000${mark}${number}`
  }
}

export const isOfSample = (id: AnyPgColumn) => like(sql`${id}::text`, `%${mark}%`)
