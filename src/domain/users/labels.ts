import { inArray } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { users } from '../../../db/schema/users.ts'

export interface UserLabel {
  id: string
  name: string
  email: string
}

/** What people call these users, by id; without unknown ids. One query for any number. */
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
