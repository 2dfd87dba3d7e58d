import type { Db } from '../../../db/engine.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import type { SegmentWhen } from '../../../db/schema/flags.ts'
import { authorized, requirePermission } from '../access/authorize.ts'
import { record } from '../activity/record.ts'
import type { Actor, AuthorizedActor } from '../actor.ts'
import {
  DomainError,
  flagExists,
  flagNotFound,
  requireRevision,
  revisionNotRestorable,
  segmentExists,
  segmentNotFound
} from '../errors.ts'
import type { Expected } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import type { Window } from '../keyset.ts'
import { findFlag, lockFlag, withDefaults, withRevision } from './flags.ts'
import type { NewFlag } from './flags.ts'
import { findMissing, findMissingRoles } from './references.ts'
import type { Missing } from './references.ts'
import { findDefinition, findNewest, listRevisions } from './revisions.ts'
import {
  beginSegmentHistory,
  cleanSegment,
  findSegment,
  insertSegment,
  lockSegment,
  requireFewSegments,
  rewriteSegment
} from './segments.ts'
import type { SegmentDefinition } from './segments.ts'
import { beginHistory, cleanFlag, insertFlag, rewriteFlag } from './writing.ts'
import type { NewFlagRow } from './writing.ts'

/** The history of a flag, also of a deleted one. Throws `flag-not-found`. */
export async function listFlagRevisions(
  db: Db,
  reader: Actor,
  { key, ...window }: { key: string } & Window<'version'>
) {
  const { items, next } = await listRevisions(db, reader, { kind: 'flag', key, ...window })
  // A flag from before 0.2 has no history until its first change.
  if (items.length === 0 && !window.after) await findFlag(db, key)
  return {
    items: items.map(({ definition, ...revision }) => ({
      ...revision,
      definition: definition && complete(key, definition)
    })),
    next
  }
}

/** A stored definition with the defaults of fields that did not exist then. */
function complete(key: string, definition: object): NewFlagRow {
  return withDefaults({ ...(definition as Omit<NewFlag, 'key'>), key })
}

/**
 * Writes a new version with the definition of an earlier one. A deleted flag is created again,
 * which requires `flags:create` as well; its revision is that of the deletion. Throws
 * `flag-not-found`, `revision-not-found`, `precondition-failed` and `revision-not-restorable`.
 */
export async function restoreFlag(
  db: Db,
  actor: Actor,
  { key, version, expected }: { key: string; version: number; expected?: Expected }
) {
  return authorized(db, actor, 'flags:update', lockFlag(key), async (tx, by, [before]) => {
    const subject = { kind: 'flag' as const, key }
    const newest = await findNewest(tx, subject)
    const current = before?.version ?? newest?.version
    if (current === undefined) throw flagNotFound()
    requireRevision(String(current), expected)
    const wanted = complete(key, await findDefinition(tx, subject, version))
    if (before && before.type !== wanted.type) {
      throw revisionNotRestorable(
        `This version has the type ${wanted.type}, and the flag has the type ${before.type}. ` +
          'Delete the flag first.'
      )
    }
    const after = await restorable(
      () => cleanFlag(tx, wanted, before),
      () => findMissing(tx, wanted.rules, before?.rules)
    )
    const { flag, fields } = before
      ? await rewriteFlag(tx, by, before, after, 'restore')
      : await createAgain(tx, by, actor, after)
    if (fields?.length === 0) return withRevision(flag)
    const target = { type: 'flag' as const, id: key }
    const details = { key, fields, version: flag.version }
    await record(tx, by, 'flag.restore', { target, details })
    await bump(tx, flagsScope)
    return withRevision(flag)
  })
}

async function createAgain(tx: Db, by: AuthorizedActor, actor: Actor, flag: NewFlagRow) {
  const made = await insertFlag(tx, flag)
  await by.recheck() // the insertion may have waited
  await requirePermission(tx, actor, 'flags:create')
  if (!made) throw flagExists()
  return { flag: await beginHistory(tx, by, made, 'restore'), fields: undefined }
}

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
  return authorized(db, actor, 'flags:update', lockSegment(key), async (tx, by, [before]) => {
    const subject = { kind: 'segment' as const, key }
    const current = before?.version ?? (await findNewest(tx, subject))?.version
    if (current === undefined) throw segmentNotFound()
    requireRevision(String(current), expected)
    const { description, when } = (await findDefinition(tx, subject, version)) as unknown as Stored
    const after = await restorable(
      () => cleanSegment(tx, { description, conditions: when }, before),
      () => findMissingRoles(tx, [{ when, at: '/when' }])
    )
    const { fields, ...made } = before
      ? await rewriteSegment(tx, by, before, after, 'restore')
      : { ...(await createSegmentAgain(tx, by, actor, { key, ...after })), fields: undefined }
    if (fields?.length !== 0) {
      const target = { type: 'segment' as const, id: key }
      await record(tx, by, 'segment.restore', { target, details: { key, fields, ...made } })
      await bump(tx, flagsScope)
    }
    if (!before) await requireFewSegments(tx)
    return findSegment(tx, key)
  })
}

async function createSegmentAgain(
  tx: Db,
  by: AuthorizedActor,
  actor: Actor,
  segment: SegmentDefinition & { key: string }
) {
  const made = await insertSegment(tx, segment)
  await by.recheck() // the insertion may have waited
  await requirePermission(tx, actor, 'flags:create')
  if (!made) throw segmentExists()
  return beginSegmentHistory(tx, by, made, 'restore')
}

/** Checks a definition that was valid when it was written. Throws `revision-not-restorable`. */
async function restorable<T>(clean: () => Promise<T>, findMissing: () => Promise<Missing[]>) {
  try {
    return await clean()
  } catch (error) {
    if (!(error instanceof DomainError && error.errors)) throw error
    throw revisionNotRestorable(detailOf(await findMissing()))
  }
}

function detailOf(missing: Missing[]) {
  const names = [...new Set(missing.map(({ what, key }) => `the ${what} ${key}`))]
  if (names.length === 0) return 'This version does not meet the rules of today.'
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return `This version names ${names.slice(0, 3).join(', ')}${more}, which no longer exist.`
}
