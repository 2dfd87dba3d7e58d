import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { missingSearchIndex } from '../../../db/server-info.ts'
import { roles, userRoles } from '../../../db/schema/roles.ts'
import { scopedRoles } from '../../../db/schema/scopes.ts'
import { uuidForm } from '../../../db/schema/columns.ts'
import { isForeignHash, users } from '../../../db/schema/users.ts'
import type { UserRow, userSorts } from '../../../db/schema/users.ts'
import { filteredPage, page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { matchesWords } from '../search.ts'
import { normalizeEmail } from './emails.ts'
import { anyUser } from './users.ts'

export interface UserFilters {
  /** The whole address, in any spelling. */
  email?: string | undefined
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
  {
    email,
    q,
    status,
    role,
    foreignHash,
    ...window
  }: UserFilters & Window<(typeof userSorts)[number]>
) {
  const inStatus = and(
    email === undefined ? undefined : eq(users.emailNormalized, normalizeEmail(email) ?? ''),
    status && eq(users.status, status),
    foreignHash ? isForeignHash(users.passwordHash) : undefined
  )
  if (q === undefined && role === undefined) return page(db, list, window, inStatus)
  // Looked up first, because the planner knows the number of members of a given role id.
  const [known] =
    role === undefined
      ? []
      : await db
          .select({ id: roles.id, scoped: roles.scoped })
          .from(roles)
          .where(eq(roles.key, role))
  if (role !== undefined && !known) return { items: [], next: undefined }
  const found = q === undefined ? undefined : isFoundBy(q)
  const hasIndex = found !== undefined && (await missingSearchIndex(db)).length === 0
  const indexed = [
    hasIndex ? found : undefined,
    known &&
      sql`${users.id} in (select held.user_id
        from ${known.scoped ? scopedRoles : userRoles} held where held.role_id = ${known.id})`
  ]
  const filter = hasIndex ? undefined : found
  return filteredPage(db, list, window, { where: inStatus, indexed, filter })
}

/** Matches a whole id, or every word as a part of the name or the e-mail address. */
const isFoundBy = (q: string) =>
  uuidForm.test(q.toLowerCase())
    ? eq(users.id, q)
    : matchesWords(q, users.name, users.emailNormalized)

export interface UserLabel {
  id: string
  name: string
  email: string
}

/** Names of users by id, without unknown ids. One query for any number. */
export async function findLabels(
  db: Db,
  ids: readonly (string | null)[]
): Promise<Map<string, UserLabel>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const found = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, wanted))
  return new Map(found.map((label) => [label.id, label]))
}
