import type { Db } from '../../../db/engine.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import type { SegmentWhen } from '../../../db/schema/flags.ts'
import { changeAs, requirePermission } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor, Permitted } from '../actor.ts'
import { segmentExists, segmentNotFound } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import type { Window } from '../keyset.ts'
import { requireRevision } from '../revisions.ts'
import type { Expected } from '../revisions.ts'
import { restorable } from './restorable.ts'
import { findDefinition, findNewest, listRevisions } from './revisions.ts'
import {
  beginSegmentHistory,
  cleanSegment,
  insertSegment,
  rewriteSegment
} from './segment-writing.ts'
import type { SegmentDefinition } from './segment-writing.ts'
import { findSegment, lockSegment, requireFewSegments } from './segments.ts'
import { unknownRoles } from './missing.ts'

interface Stored {
  description: string
  when: SegmentWhen
}

/** The history of a segment, also of a deleted one. Throws `segment-not-found`. */
export async function listSegmentRevisions(
  db: Db,
  reader: Actor,
  { key, ...window }: { key: string } & Window<'version'>
) {
  const { items, next } = await listRevisions(db, reader, { kind: 'segment', key, ...window })
  if (items.length === 0 && !window.after) throw segmentNotFound()
  return {
    items: items.map(({ definition, ...revision }) => ({
      ...revision,
      definition: definition as Stored | null
    })),
    next
  }
}

/**
 * As `restoreFlag`, for a segment. Throws `segment-not-found`, `revision-not-found`,
 * `precondition-failed`, `revision-not-restorable` and `too-many-segments`.
 */
export async function restoreSegment(
  db: Db,
  actor: Actor,
  { key, version, expected }: { key: string; version: number; expected?: Expected }
) {
  return changeAs(db, actor, 'flags:update', lockSegment(key), async (tx, by, [before]) => {
    const subject = { kind: 'segment' as const, key }
    const current = before?.version ?? (await findNewest(tx, subject))?.version
    if (current === undefined) throw segmentNotFound()
    requireRevision(String(current), expected)
    const { description, when } = (await findDefinition(tx, subject, version)) as unknown as Stored
    const after = await restorable(
      () => cleanSegment(tx, { description, conditions: when }, before),
      () => unknownRoles(tx, [{ when, at: '/when' }])
    )
    const { fields, ...made } = before
      ? await rewriteSegment(tx, by, before, after, 'restore')
      : { ...(await createAgain(tx, by, actor, { key, ...after })), fields: undefined }
    if (fields?.length !== 0) {
      const target = { type: 'segment' as const, id: key }
      await record(tx, by, 'segment.restore', { target, details: { key, fields, ...made } })
      await bump(tx, flagsScope)
    }
    if (!before) await requireFewSegments(tx)
    return findSegment(tx, key)
  })
}

async function createAgain(
  tx: Db,
  by: Permitted,
  actor: Actor,
  segment: SegmentDefinition & { key: string }
) {
  const made = await insertSegment(tx, segment)
  await by.judgeAgain() // the insertion may have waited
  await requirePermission(tx, actor, 'flags:create')
  if (!made) throw segmentExists()
  return beginSegmentHistory(tx, by, made, 'restore')
}
