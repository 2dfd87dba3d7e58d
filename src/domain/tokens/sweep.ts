import type { Db } from '../../../db/engine.ts'
import { registrations } from '../../../db/schema/registrations.ts'
import { tokens } from '../../../db/schema/tokens.ts'
import { deleteExpired } from '../expired-rows.ts'

export const deleteExpiredTokens = (db: Db, limit: number) =>
  deleteExpired(db, tokens, tokens.hash, limit)

/** Deletes registrations that nobody confirmed in time, with their tokens. */
export const deleteExpiredRegistrations = (db: Db, limit: number) =>
  deleteExpired(db, registrations, registrations.id, limit)
