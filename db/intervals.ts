import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'

// As parameters: with another number in its text, each statement would be prepared again.

export const ofSeconds = (count: number | SQL): SQL => sql`make_interval(secs => ${count}::float8)`
export const ofDays = (count: number): SQL => sql`make_interval(days => ${count}::int)`
