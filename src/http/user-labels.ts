import type { Db } from '../../db/engine.ts'
import { findLabels } from '../domain/users/list.ts'
import type { UserLabel } from '../domain/users/list.ts'

interface Reader {
  permissions: readonly string[]
}

/**
 * Adds to each row whose it is, so that a list costs its reader one call. Null for a user who is
 * gone, and for readers without `users:read`.
 */
export async function withUsers<Row extends { userId: string | null }>(
  db: Db,
  reader: Reader,
  rows: Row[]
): Promise<(Row & { user: UserLabel | null })[]> {
  const labels = await labelsFor(
    db,
    reader,
    rows.map(({ userId }) => userId)
  )
  return rows.map((row) => ({ ...row, user: labels.get(row.userId ?? '') ?? null }))
}

interface Recorded {
  actorId: string | null
  targetType: string | null
  targetId: string | null
}

/** Adds the labels of the users who acted and on whom others acted. */
export async function withPeople<Row extends Recorded>(db: Db, reader: Reader, rows: Row[]) {
  const labels = await labelsFor(
    db,
    reader,
    rows.flatMap((row) => [row.actorId, targetUserId(row)])
  )
  return rows.map((row) => ({
    ...row,
    actor: labels.get(row.actorId ?? '') ?? null,
    target: labels.get(targetUserId(row) ?? '') ?? null
  }))
}

const targetUserId = ({ targetType, targetId }: Recorded) =>
  targetType === 'user' ? targetId : null

const labelsFor = async (db: Db, { permissions }: Reader, ids: (string | null)[]) =>
  permissions.includes('users:read') ? findLabels(db, ids) : new Map<string, UserLabel>()
