import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags, segmentLimits, segments } from '../../../db/schema/flags.ts'
import type {
  revisionChanges,
  SegmentRow,
  segmentSorts,
  SegmentWhen
} from '../../../db/schema/flags.ts'
import { authorized } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import {
  checkAll,
  invalidFields,
  requireRevision,
  segmentExists,
  segmentInUse,
  segmentNotFound,
  tooManySegments
} from '../errors.ts'
import type { Expected } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { cleanDescription } from '../texts.ts'
import { addRevision, changedFields, nextVersion } from './revisions.ts'
import type { Subject } from './revisions.ts'
import { assertValidSegment } from './validation.ts'

// The parts of a change of segments, as those of flags.

/** Everything that a change of a segment can change. */
export type SegmentDefinition = Pick<SegmentRow, 'description' | 'conditions'>
type NewSegmentRow = SegmentDefinition & Pick<SegmentRow, 'key'>
type Change = Exclude<(typeof revisionChanges)[number], 'found' | 'delete'>

const subjectOf = (key: string): Subject => ({ kind: 'segment', key })
export const segmentDefinition = ({ description, conditions }: SegmentDefinition) => ({
  description,
  when: conditions
})
/** A locked segment as its history compares it. */
const stateOf = (segment: SegmentRow) => ({
  version: segment.version,
  definition: segmentDefinition(segment),
  defaults: {}
})

/**
 * The segment as it is stored. Throws a refusal that lists every error.
 * @param before the segment before the change; absent for a new one
 */
export async function cleanSegment(
  tx: Db,
  { description, conditions }: SegmentDefinition,
  before?: SegmentDefinition
): Promise<SegmentDefinition> {
  const [cleaned] = await checkAll(
    () => cleanDescription(description),
    () => assertValidSegment(tx, conditions, before?.conditions)
  )
  return { description: cleaned, conditions }
}

/** Waits for another insertion of this key. Returns nothing if the segment exists. */
export async function insertSegment(tx: Db, segment: NewSegmentRow) {
  const [made] = await tx.insert(segments).values(segment).onConflictDoNothing().returning()
  return made
}

/** Completes an insertion: the history of the key goes on. */
export async function beginSegmentHistory(
  tx: Db,
  by: AuthorizedActor,
  made: SegmentRow,
  change: Change
) {
  const subject = subjectOf(made.key)
  const version = await nextVersion(tx, subject)
  const definition = segmentDefinition(made)
  await addRevision(tx, by, subject, { version, change, fields: [], definition })
  await tx.update(segments).set({ version }).where(eq(segments.key, made.key))
  return { version }
}

/** Writes the changed fields of a locked segment, if there are any, and returns their names. */
export async function rewriteSegment(
  tx: Db,
  by: AuthorizedActor,
  before: SegmentRow,
  after: SegmentDefinition,
  change: Change
) {
  const definition = segmentDefinition(after)
  const fields = changedFields(segmentDefinition(before), definition)
  if (fields.length === 0) return { version: before.version, fields }
  const subject = subjectOf(before.key)
  const version = await nextVersion(tx, subject, stateOf(before))
  await tx
    .update(segments)
    .set({ ...after, version, updatedAt: sql`now()` })
    .where(eq(segments.key, before.key))
  await addRevision(tx, by, subject, { version, change, fields, definition })
  return { version, fields }
}

/** Deletes a locked segment, and returns the version of the deletion. */
export async function removeSegment(tx: Db, by: AuthorizedActor, before: SegmentRow) {
  const subject = subjectOf(before.key)
  const version = await nextVersion(tx, subject, stateOf(before))
  await tx.delete(segments).where(eq(segments.key, before.key))
  await addRevision(tx, by, subject, { version, change: 'delete', fields: [], definition: null })
  return version
}

/** Keys of the flags whose rules name the segment, sorted. */
const usedBy = sql<string[]>`to_json(array(
  select ${flags.key} from ${flags} where ${flags.rules} @> ${naming(segments.key)} order by 1))`
const { version, conditions: when, ...columns } = getTableColumns(segments)
const list = {
  table: segments,
  columns: { ...columns, when, usedBy },
  orders: { key: [segments.key], createdAt: [segments.createdAt, segments.key] }
}

/** Rules that name a segment, for `@>`. */
function naming(key: typeof segments.key | string) {
  return sql`jsonb_build_array(jsonb_build_object('when', jsonb_build_object('segmentsAny',
    jsonb_build_array(${key}::text))))`
}

export const listSegments = (db: Db, window: Window<(typeof segmentSorts)[number]>) =>
  page(db, list, window)

/** Throws `segment-not-found`. */
export async function findSegment(db: Db, key: string) {
  const [found] = await db
    .select({ ...list.columns, version })
    .from(segments)
    .where(eq(segments.key, key))
  if (!found) throw segmentNotFound()
  return { ...found, revision: String(found.version) }
}

/** For a change. Another one waits until the transaction ends. */
export const lockSegment = (key: string) => (tx: Db) =>
  tx.select().from(segments).where(eq(segments.key, key)).for('no key update')

const targetOf = (key: string) => ({ type: 'segment' as const, id: key })

/** Throws `segment-exists`, `too-many-segments`, and a refusal that lists every error. */
export async function createSegment(
  db: Db,
  actor: Actor,
  {
    key,
    description = '',
    when
  }: { key: string; description?: string | undefined; when: SegmentWhen }
) {
  const insert = async (tx: Db) =>
    insertSegment(tx, { key, ...(await cleanSegment(tx, { description, conditions: when })) })
  return authorized(db, actor, 'flags:create', insert, async (tx, by, made) => {
    if (!made) throw segmentExists()
    await bump(tx, flagsScope)
    await requireFewSegments(tx)
    const { version } = await beginSegmentHistory(tx, by, made, 'create')
    await record(tx, by, 'segment.create', { target: targetOf(key), details: { key, version } })
    return findSegment(tx, key)
  })
}

/** Throws `too-many-segments`. Call it after the bump: only one creation at a time passes that. */
export async function requireFewSegments(tx: Db) {
  if ((await tx.$count(segments)) > segmentLimits.count) throw tooManySegments()
}

interface Changes {
  description?: string | undefined
  when?: SegmentWhen | undefined
}

/** Throws `precondition-failed`, and a refusal that lists every error of the changed segment. */
export const updateSegment = (
  db: Db,
  actor: Actor,
  { key, changes, expected }: { key: string; changes: Changes; expected?: Expected }
) =>
  changeSegment(db, actor, {
    key,
    expected,
    change: ({ description, conditions }) => ({
      description: changes.description ?? description,
      conditions: changes.when ?? conditions
    })
  })

/** Changes a segment as `change` says, which gets its present state. */
async function changeSegment(
  db: Db,
  actor: Actor,
  {
    key,
    expected,
    change
  }: { key: string; expected?: Expected; change: (before: SegmentRow) => SegmentDefinition }
) {
  return authorized(db, actor, 'flags:update', lockSegment(key), async (tx, by, [before]) => {
    if (!before) throw segmentNotFound()
    requireRevision(String(before.version), expected)
    const after = await cleanSegment(tx, change(before), before)
    const { version, fields } = await rewriteSegment(tx, by, before, after, 'update')
    if (fields.length > 0) {
      const details = { key, fields, version }
      await record(tx, by, 'segment.update', { target: targetOf(key), details })
      await bump(tx, flagsScope)
    }
    return findSegment(tx, key)
  })
}

/** Throws `segment-in-use` while rules of flags name it. */
export async function deleteSegment(
  db: Db,
  actor: Actor,
  { key, expected }: { key: string; expected?: Expected }
) {
  const lock = (tx: Db) => tx.select().from(segments).where(eq(segments.key, key)).for('update')
  await authorized(db, actor, 'flags:delete', lock, async (tx, by, [found]) => {
    if (!found) throw segmentNotFound()
    requireRevision(String(found.version), expected)
    await requireUnused(tx, key)
    const version = await removeSegment(tx, by, found)
    await record(tx, by, 'segment.delete', { target: targetOf(key), details: { key, version } })
    await bump(tx, flagsScope)
  })
}

/** Call it with the segment locked: a change of a flag that begins to name it waits then. */
export async function requireUnused(tx: Db, key: string) {
  const named = await tx
    .select({ key: flags.key })
    .from(flags)
    .where(sql`${flags.rules} @> ${naming(key)}`)
    .orderBy(flags.key)
  if (named.length === 0) return
  const more = named.length > 3 ? ` and ${named.length - 3} more` : ''
  const keys = named.slice(0, 3).map((flag) => flag.key)
  throw segmentInUse(
    `Rules of flags name this segment: ${keys.join(', ')}${more}. Change those rules first.`
  )
}

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
