import { eq, getTableColumns } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { segmentLimits, segments } from '../../../db/schema/flags.ts'
import type { SegmentRow, segmentSorts, SegmentWhen } from '../../../db/schema/flags.ts'
import type { Actor } from '../actor.ts'
import { checkAll, DomainError, invalidFields } from '../errors.ts'
import { page } from '../keyset.ts'
import type { Search } from '../keyset.ts'
import { matchesWords } from '../search.ts'
import { cleanDescription } from '../texts.ts'
import { findMissingRoles, requireUnused, usedBy } from './references.ts'
import { assertValidSegment } from './validation.ts'
import { create, remove, update } from './writing.ts'
import type { DefinitionOf, Kind, Target } from './writing.ts'

type SegmentDefinition = DefinitionOf<SegmentRow>

const { version, ...columns } = getTableColumns(segments)
const list = {
  table: segments,
  columns: { ...columns, usedBy },
  orders: { key: [segments.key], createdAt: [segments.createdAt, segments.key] }
}

export const listSegments = (db: Db, { q, ...window }: Search<(typeof segmentSorts)[number]>) =>
  page(db, list, window, matchesWords(q, segments.key, segments.description))

/** Throws `segment-not-found`. */
export async function findSegment(db: Db, key: string) {
  const [found] = await db
    .select({ ...list.columns, version })
    .from(segments)
    .where(eq(segments.key, key))
  if (!found) throw new DomainError('segment-not-found')
  return { ...found, revision: String(found.version) }
}

export const segmentKind: Kind<SegmentDefinition, Awaited<ReturnType<typeof findSegment>>> = {
  name: 'segment',
  table: segments,
  notFound: () => new DomainError('segment-not-found'),
  exists: () => new DomainError('segment-exists'),
  find: findSegment,
  async clean(tx, segment, before) {
    const [description] = await checkAll(
      () => cleanDescription(segment.description),
      () => assertValidSegment(tx, segment.when, before?.when)
    )
    return { ...segment, description }
  },
  findMissing: async (tx, { when }) => findMissingRoles(tx, [{ when, at: '/when' }]),
  release: requireUnused,
  async requireFew(tx) {
    if ((await tx.$count(segments)) > segmentLimits.count) {
      throw new DomainError('too-many-segments')
    }
  }
}

export interface NewSegment {
  key: string
  description?: string | undefined
  when: SegmentWhen
}

/** Throws `segment-exists`, `too-many-segments`, and a refusal that lists every error. */
export const createSegment = async (
  db: Db,
  actor: Actor,
  { key, description = '', when }: NewSegment
) => create(segmentKind)(db, actor, { key, description, when })

/** Throws `precondition-failed`, and a refusal that lists every error of the changed segment. */
export const updateSegment = async (
  db: Db,
  actor: Actor,
  { changes, ...target }: Target & { changes: Partial<Omit<NewSegment, 'key'>> }
) =>
  update(segmentKind)(db, actor, {
    ...target,
    change: ({ description, when }) => ({
      description: changes.description ?? description,
      when: changes.when ?? when
    })
  })

/** Throws `segment-in-use` while rules of flags name it. */
export const deleteSegment = remove(segmentKind)

/**
 * Adds a user to a segment that lists users, or removes one, and returns the segment. Throws a
 * refusal if the segment does not list users, because the change would affect others.
 */
export const changeSegmentUser = async (
  db: Db,
  actor: Actor,
  { key, userId, change }: { key: string; userId: string; change: 'add' | 'remove' }
) =>
  update(segmentKind)(db, actor, {
    key,
    change: ({ description, when }) => ({
      description,
      when: { ...when, users: usersAfter(change, userId, when.users) }
    })
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
