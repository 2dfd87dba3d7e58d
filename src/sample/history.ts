import { like, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/engine.ts'
import type { Action } from '../../db/schema/actions.ts'
import { activity } from '../../db/schema/activity.ts'
import { flagRevisions } from '../../db/schema/flags.ts'
import type { CommandLine } from '../domain/actor.ts'

// Each call of the sample has a request id of the time at which it would have been. Its record
// tells that time, and the rows that the call has written get it from there.

export const day = 86_400_000
export type OperatorAt = (daysAgo: number) => CommandLine

/** Is in each id that the sample gives, so that it can be removed. */
const mark = '-8a5a-73616d70'

export const isOfSample = (id: AnyPgColumn) => like(sql`${id}::text`, `%${mark}%`)
export const isSampleRecord = or(isOfSample(activity.id), isOfSample(activity.requestId))

/** UUIDv7s of the given times, which are the same each time. */
export function createIds() {
  let count = 0
  return (at: Date) => {
    const time = at.getTime().toString(16).padStart(12, '0')
    const number = (count++).toString(16).padStart(4, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7000${mark}${number}`
  }
}
export type NewId = ReturnType<typeof createIds>

const timeOf = (id: AnyPgColumn) =>
  sql`to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`

const [isId, isKey] = [sql`target_id = t.id::text`, sql`target_id = key`]

/** By table: the action of its records, how they name a row of it, and what their time sets. */
const moves: [table: string, action: Action, isSubject: SQL, columns: SQL][] = [
  ['permissions', 'permission.create', isKey, sql`created_at = at`],
  ['roles', 'role.create', isId, sql`created_at = at, updated_at = at`],
  ['services', 'service.create', isId, sql`created_at = at, updated_at = at`],
  ['service_roles', 'service.role-grant', sql`target_id = service_id::text`, sql`granted_at = at`],
  [
    ...(['api_keys', 'key.create', sql`details ->> 'key' = t.id::text`] as const),
    sql`created_at = at, expires_at = expires_at - (created_at - at),
      last_used_at = at + interval '5 days'`
  ],
  [
    ...(['users', 'user.create', isId] as const),
    sql`updated_at = at,
      email_verified_at = case when email_verified_at > at then at + interval '4 minutes' end`
  ],
  [
    ...(['totp', 'user.create', sql`target_id = user_id::text`] as const),
    sql`created_at = at, confirmed_at = at`
  ],
  [
    ...(['sessions', 'auth.login', sql`session_id = t.id`] as const),
    sql`created_at = at, expires_at = expires_at - (created_at - at),
      last_seen_at = at + (created_at - at) / 2, revoked_at = revoked_at - (created_at - at) / 2`
  ],
  [
    ...(['users', 'auth.login'] as const),
    sql`session_id in (select id from sessions where user_id = t.id)`,
    sql`last_login_at = at`
  ],
  ['feature_flags', 'flag.create', isKey, sql`created_at = at`],
  ['feature_flags', 'flag.update', isKey, sql`updated_at = at`],
  ['segments', 'segment.create', isKey, sql`created_at = at`],
  ['segments', 'segment.update', isKey, sql`updated_at = at`]
]

/** Sets everything that was just written back to its time. */
export async function setBack(tx: Db) {
  const { requestId } = activity
  const columns = { id: sql`${requestId}`, at: timeOf(requestId), requestId: null }
  await tx.update(activity).set(columns).where(isOfSample(requestId))
  for (const [table, action, isSubject, columns] of moves) {
    await tx.execute(sql`update ${sql.identifier(table)} as t set ${columns} from ${activity} as a
      where a.id::text like ${`%${mark}%`} and action = ${action} and ${isSubject}`)
  }
  await tx.execute(sql`update ${flagRevisions} as t set at = a.at from ${activity} as a
    where a.id::text like ${`%${mark}%`} and (target_type, target_id, details ->> 'version')
      = (kind, key, version::text)`)
}
