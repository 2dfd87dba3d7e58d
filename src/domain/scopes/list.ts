import { and, asc, countDistinct, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles } from '../../../db/schema/roles.ts'
import { scopedRoles } from '../../../db/schema/scopes.ts'
import type { memberSorts } from '../../../db/schema/scopes.ts'
import { users } from '../../../db/schema/users.ts'
import { DomainError } from '../errors.ts'
import type { Window } from '../keyset.ts'

/** The members of a scope with their roles there, by ascending or descending user id. */
export async function listMembers(
  db: Db,
  scope: string,
  { limit, sort, after }: Window<(typeof memberSorts)[number]>
) {
  const isDescending = sort === '-id'
  const [order, beyond] = isDescending ? ([desc, lt] as const) : ([asc, gt] as const)
  const position = after && beyond(scopedRoles.userId, String(after[0]))
  const members = db.$with('members').as(
    db
      .select({ userId: scopedRoles.userId })
      .from(scopedRoles)
      .where(and(eq(scopedRoles.scope, scope), position))
      .groupBy(scopedRoles.userId)
      .orderBy(order(scopedRoles.userId))
      .limit(limit + 1)
  )
  const held = sql<{ key: string; grantedAt: string }[]>`(
    select json_agg(json_build_object('key', r.key, 'grantedAt', sr.granted_at) order by r.key)
    from scoped_roles sr join roles r on r.id = sr.role_id
    where sr.user_id = users.id and sr.scope = ${scope})`
  const rows = await db
    .with(members)
    .select({ user: { id: users.id, email: users.email, name: users.name }, roles: held })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .orderBy(order(users.id))
  const items = rows.slice(0, limit).map(({ user, roles }) => ({
    user,
    roles: roles.map(({ key, grantedAt }) => ({ key, grantedAt: new Date(grantedAt) }))
  }))
  return { items, next: rows.length > limit ? [items.at(-1)?.user.id] : undefined }
}

/** The scopes in which a user has roles, with their keys, at most 1,000. */
export const listScopesOf = (db: Db, userId: string) =>
  db
    .select({
      scope: scopedRoles.scope,
      roles: sql<string[]>`json_agg(${roles.key} order by ${roles.key})`
    })
    .from(scopedRoles)
    .innerJoin(roles, eq(roles.id, scopedRoles.roleId))
    .where(eq(scopedRoles.userId, userId))
    .groupBy(scopedRoles.scope)
    .orderBy(asc(scopedRoles.scope))

/** Throws `scope-not-found` when nobody has a role in the scope. */
export async function findScope(db: Db, scope: string) {
  const [row] = await db
    .select({ members: countDistinct(scopedRoles.userId) })
    .from(scopedRoles)
    .where(eq(scopedRoles.scope, scope))
  if (!row?.members) throw unusedScope()
  return { key: scope, members: row.members }
}

export const unusedScope = () =>
  new DomainError('scope-not-found', { detail: 'Nobody has a role in this scope.' })
