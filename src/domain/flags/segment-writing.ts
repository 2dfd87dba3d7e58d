import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import type { revisionChanges } from '../../../db/schema/flag-revisions.ts'
import { segments } from '../../../db/schema/segments.ts'
import type { SegmentRow } from '../../../db/schema/segments.ts'
import type { Permitted } from '../actor.ts'
import { checkAll } from '../domain-error.ts'
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
export async function beginSegmentHistory(tx: Db, by: Permitted, made: SegmentRow, change: Change) {
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
  by: Permitted,
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
export async function removeSegment(tx: Db, by: Permitted, before: SegmentRow) {
  const subject = subjectOf(before.key)
  const version = await nextVersion(tx, subject, stateOf(before))
  await tx.delete(segments).where(eq(segments.key, before.key))
  await addRevision(tx, by, subject, { version, change: 'delete', fields: [], definition: null })
  return version
}
