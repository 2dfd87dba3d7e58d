import { sql } from 'drizzle-orm'
import { registrations } from '../../../db/schema/registrations.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import type { OldRows } from '../old-rows.ts'

export const expiredTokens: OldRows = {
  table: tokens,
  key: tokens.hash,
  at: tokens.expiresAt,
  before: sql`now()`
}

/** Registrations that nobody confirmed in time. Their tokens go with them. */
export const expiredRegistrations: OldRows = {
  table: registrations,
  key: registrations.id,
  at: registrations.expiresAt,
  before: sql`now()`
}
