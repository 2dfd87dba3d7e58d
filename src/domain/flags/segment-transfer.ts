import { asc } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { segments } from '../../../db/schema/flags.ts'
import type { SegmentRow, SegmentWhen } from '../../../db/schema/flags.ts'
import { record } from '../activity/record.ts'
import type { AuthorizedActor } from '../actor.ts'
import { checkAll, DomainError, invalidFields, segmentExists } from '../errors.ts'
import type { FieldError } from '../errors.ts'
import type { Settings } from '../settings/schema.ts'
import { requireSettings } from './caller-settings.ts'
import { changedFields } from './revisions.ts'
import {
  beginSegmentHistory,
  cleanSegment,
  insertSegment,
  removeSegment,
  requireUnused,
  rewriteSegment,
  segmentDefinition
} from './segments.ts'
import type { SegmentDefinition } from './segments.ts'

// The part of an import and an export of flags that is about segments.

export interface NewSegment {
  key: string
  description?: string | undefined
  when: SegmentWhen
}

/** What an import does with a flag or a segment. */
export interface Step {
  kind: 'flag' | 'segment'
  key: string
  change: 'create' | 'update' | 'same' | 'delete'
  fields: string[]
}

interface Prepared {
  step: Step
  before: SegmentRow | undefined
  after: SegmentDefinition
}

const { key, description, conditions } = segments

/** All segments in the order of their keys, without what belongs to this portal only. */
export const exportSegments = (db: Db) =>
  db.select({ key, description, when: conditions }).from(segments).orderBy(asc(key))

/** Compares each segment with the one of this portal. Throws a refusal that lists every error. */
export async function prepareSegments(
  tx: Db,
  wanted: readonly NewSegment[],
  existing: ReadonlyMap<string, SegmentRow>,
  settings: Settings | undefined
): Promise<Prepared[]> {
  return checkEach('segments', wanted, async ({ key, description = '', when }) => {
    const before = existing.get(key)
    const [after] = await checkAll(
      () => cleanSegment(tx, { description, conditions: when }, before),
      () => requireSettings(settings, [['/when', when]])
    )
    const fields = before ? changedFields(segmentDefinition(before), segmentDefinition(after)) : []
    const change = !before ? 'create' : fields.length > 0 ? 'update' : 'same'
    return { step: { kind: 'segment', key, change, fields }, before, after }
  })
}

const targetOf = (key: string) => ({ type: 'segment' as const, id: key })

export async function writeSegments(tx: Db, by: AuthorizedActor, prepared: Prepared[]) {
  for (const { step, before, after } of prepared) {
    const { key, change } = step
    if (change === 'create') {
      const made = await insertSegment(tx, { key, ...after })
      if (!made) throw segmentExists()
      const details = { key, ...(await beginSegmentHistory(tx, by, made, 'import')) }
      await record(tx, by, 'segment.create', { target: targetOf(key), details })
    } else if (change === 'update' && before) {
      const details = { key, ...(await rewriteSegment(tx, by, before, after, 'import')) }
      await record(tx, by, 'segment.update', { target: targetOf(key), details })
    }
  }
}

/** Throws `segment-in-use`. */
export async function removeSegments(tx: Db, by: AuthorizedActor, gone: SegmentRow[]) {
  for (const before of gone) {
    const { key } = before
    await requireUnused(tx, key)
    const version = await removeSegment(tx, by, before)
    await record(tx, by, 'segment.delete', { target: targetOf(key), details: { key, version } })
  }
}

/**
 * Prepares every item of a list in a file, each key once. Throws a refusal that lists the errors of
 * all of them, with pointers such as `/flags/0/key`.
 */
export async function checkEach<T extends { key: string }, R>(
  list: 'flags' | 'segments',
  items: readonly T[],
  prepare: (item: T) => Promise<R>
): Promise<R[]> {
  const errors: FieldError[] = []
  const prepared: R[] = []
  const seen = new Set<string>()
  for (const [n, item] of items.entries()) {
    try {
      if (seen.has(item.key)) {
        const message = 'An earlier one has this key'
        throw invalidFields({ pointer: '/key', code: 'repeated', message })
      }
      seen.add(item.key)
      prepared.push(await prepare(item))
    } catch (error) {
      if (!(error instanceof DomainError) || !error.errors) throw error
      for (const each of error.errors) {
        errors.push({ ...each, pointer: `/${list}/${n}${each.pointer}` })
      }
    }
  }
  if (errors.length > 0) throw invalidFields(...errors)
  return prepared
}
