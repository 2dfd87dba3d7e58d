import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, count, eq, gte, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flagsScope, rolesScope } from '../../../db/schema/epochs.ts'
import { flags, segments } from '../../../db/schema/flags.ts'
import { roles } from '../../../db/schema/roles.ts'
import { record } from '../activity/record.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import { DomainError, requireRevision } from '../errors.ts'
import type { Expected } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import { authorized, isPermitted } from './authorize.ts'
import { lockRole, membersOf, requireMayLift } from './roles.ts'

/** Number of memberships that one transaction removes, within a tenth of a second. */
const memberBatch = 5000

/**
 * Deletes a role and revokes it from its members. A large role is deleted in several transactions,
 * each of which takes effect at once; repeat an interrupted deletion to complete it. Throws
 * `system-entity`, `role-in-use`, `precondition-failed`, and `exceeds-own-permissions` when the
 * actor lacks a permission of the role, or as `requireMayLift` does.
 */
export async function deleteRole(
  db: Db,
  actor: Actor,
  { key, expected }: { key: string; expected?: Expected }
) {
  const lock = (tx: Db) => lockRole(tx, key, 'no key update')
  let members = 0
  let from: string | undefined
  for (;;) {
    const began = performance.now()
    const removed = await authorized(db, actor, 'roles:delete', lock, async (tx, by, found) => {
      if (!found) throw new DomainError('role-not-found')
      requireRevision(String(found.version), expected)
      if (found.system) throw new DomainError('system-entity')
      by.requireAll(found.permissions)
      if (from === undefined) {
        await requireUnnamed(tx, by, key)
        await requireMayLift(tx, by, found)
      }
      const { count, next } = await removeMembers(tx, by, found, from)
      const target = { type: 'role' as const, id: found.id }
      if (next !== undefined) {
        await record(tx, by, 'role.members-remove', { target, details: { key, members: count } })
      } else {
        const ofKey = eq(roles.key, key)
        // A change of a flag that begins to name the role has held it until here.
        await tx.select({ key: roles.key }).from(roles).where(ofKey).for('update')
        await requireUnnamed(tx, by, key)
        await tx.delete(roles).where(ofKey)
        const { permissions } = found
        const details = { key, members: members + count, permissions }
        await record(tx, by, 'role.delete', { target, details })
      }
      await bump(tx, rolesScope)
      if (next === undefined) await bump(tx, flagsScope) // see `hold` of flags
      return { count, next }
    })
    members += removed.count
    from = removed.next
    if (from === undefined) return
    await sleep(performance.now() - began) // leaves half of the database's time to others
  }
}

/** The rules would go on to hold for the next role that somebody creates with this key. */
async function requireUnnamed(tx: Db, by: AuthorizedActor, key: string) {
  const condition = sql`jsonb_build_object('rolesAny', jsonb_build_array(${key}::text))`
  const inRules = sql`${flags.rules} @> jsonb_build_array(jsonb_build_object('when', ${condition}))`
  const inSegment = sql`${segments.when} @> ${condition}`
  const ofFlags = await tx.select({ key: flags.key }).from(flags).where(inRules)
  const ofSegments = await tx.select({ key: segments.key }).from(segments).where(inSegment)
  const named = [
    ...ofFlags.map((each) => `the flag ${each.key}`),
    ...ofSegments.map((each) => `the segment ${each.key}`)
  ].sort()
  if (named.length === 0) return
  if (!(await isPermitted(tx, by, 'flags:read'))) {
    throw new DomainError('role-in-use', { detail: 'Conditions of flags name this role.' })
  }
  const more = named.length > 3 ? ` and ${named.length - 3} more` : ''
  const names = named.slice(0, 3).join(', ')
  throw new DomainError('role-in-use', {
    detail: `Conditions name this role: ${names}${more}. Change them first.`
  })
}

/**
 * Removes a batch of memberships, of users from `from` on, and returns their number and the next
 * user, undefined after the last one. The role is locked. The actor loses it last, because their
 * right to continue may come from this role.
 */
async function removeMembers(
  tx: Db,
  by: AuthorizedActor,
  role: { id: string; scoped: boolean },
  from: string | undefined
) {
  // Each batch ends: a user has a role in fewer scopes than it has memberships.
  const table = membersOf(role)
  const { userId } = table
  const ofRole = eq(table.roleId, role.id)
  const [next] = await tx
    .select({ userId })
    .from(table)
    // Rows that were removed before stay in the index until a vacuum.
    .where(and(ofRole, from === undefined ? undefined : gte(userId, from)))
    .orderBy(asc(userId))
    .offset(memberBatch)
    .limit(1)
  const batch =
    next &&
    and(
      from === undefined ? undefined : gte(userId, from),
      lt(userId, next.userId),
      by.id === undefined ? undefined : ne(userId, by.id)
    )
  const removed = tx
    .$with('removed')
    .as(tx.delete(table).where(and(ofRole, batch)).returning({ userId }))
  const [row] = await tx.with(removed).select({ count: count() }).from(removed)
  return { count: row?.count ?? 0, next: next?.userId }
}
