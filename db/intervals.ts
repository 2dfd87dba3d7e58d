import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'

// Intervals as parameters: a number in the text of a statement would be another statement each time.

export const ofSeconds = (count: number): SQL => sql`make_interval(secs => ${count}::float8)`
export const ofDays = (count: number): SQL => sql`make_interval(days => ${count}::int)`
