import { and, eq, ilike, like, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { roles } from '../../../db/schema/roles.ts'
import { isForeignHash, users } from '../../../db/schema/users.ts'
import type { UserRow, userSorts } from '../../../db/schema/users.ts'
import { missingSearchIndexes } from '../../../db/search.ts'
import { filteredPage, page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { anyUser } from './users.ts'

export interface UserFilters {
  q?: string | undefined
  status?: UserRow['status'] | undefined
  role?: string | undefined
  /** Only users whose password is still in the form of another system. */
  foreignHash?: boolean | undefined
}

const orders = {
  createdAt: [users.createdAt, users.id],
  email: [users.emailNormalized],
  name: [users.name, users.id]
}
const list = { table: users, columns: anyUser, orders }

export async function listUsers(
  db: Db,
  { q, status, role, foreignHash, ...window }: UserFilters & Window<(typeof userSorts)[number]>
) {
  const inStatus = and(
    status && eq(users.status, status),
    foreignHash ? isForeignHash(users.passwordHash) : undefined
  )
  if (q === undefined && role === undefined) return page(db, list, window, inStatus)
  // Looked up first, because the planner knows the number of members of a given role id.
  const [known] =
    role === undefined
      ? []
      : await db.select({ id: roles.id }).from(roles).where(eq(roles.key, role))
  if (role !== undefined && !known) return { items: [], next: undefined }
  const found = q === undefined ? undefined : isFoundBy(q)
  const hasIndexes = found !== undefined && (await missingSearchIndexes(db)).length === 0
  const indexed = [
    hasIndexes ? found : undefined,
    known &&
      sql`${users.id} in (select ur.user_id from user_roles ur where ur.role_id = ${known.id})`
  ]
  const filter = hasIndexes ? undefined : found
  return filteredPage(db, list, window, { where: inStatus, indexed, filter })
}

/**
 * Matches any part of an e-mail address or a name. Fewer than three letters have no trigram and
 * match at the beginning only.
 */
function isFoundBy(q: string): SQL | undefined {
  const text = q.normalize('NFC').replace(/[\\%_]/g, '\\$&')
  const pattern = q.length < 3 ? `${text}%` : `%${text}%`
  return or(ilike(users.name, pattern), like(users.emailNormalized, pattern.toLowerCase()))
}
