import type { Db } from '../../../db/engine.ts'
import { segmentLimits } from '../../../db/schema/segments.ts'
import type { Actor } from '../actor.ts'
import { invalidFields } from '../domain-error.ts'
import { changeSegment } from './segments.ts'

/**
 * Adds a user to a segment that lists users, or removes one, and returns the segment. Throws a
 * refusal when that would change for whom else the segment holds.
 */
export const changeSegmentUser = (
  db: Db,
  actor: Actor,
  { key, userId, change }: { key: string; userId: string; change: 'add' | 'remove' }
) =>
  changeSegment(db, actor, {
    key,
    change({ description, conditions }) {
      const users = usersAfter(change, userId, conditions.users)
      return { description, conditions: { ...conditions, users } }
    }
  })

function usersAfter(change: 'add' | 'remove', userId: string, users: string[] | undefined) {
  if (!users) {
    throw refusal(
      'invalid',
      'The segment lists no users: its other conditions decide. Update its conditions instead'
    )
  }
  if (change === 'add') {
    if (users.includes(userId)) return users
    if (users.length < segmentLimits.users) return [...users, userId]
    throw refusal('too-many', `A segment lists at most ${segmentLimits.users} users`)
  }
  const others = users.filter((id) => id !== userId)
  if (others.length > 0) return others
  throw refusal(
    'too-short',
    'This is the last user, without whom the other conditions would decide alone. Delete the ' +
      'segment, or update its conditions'
  )
}

const refusal = (code: 'invalid' | 'too-short' | 'too-many', message: string) =>
  invalidFields({ pointer: '/when/users', code, message })
