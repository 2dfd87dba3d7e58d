import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { flagsScope } from '../../../db/schema/epochs.ts'
import { flags } from '../../../db/schema/flags.ts'
import type { SegmentWhen } from '../../../db/schema/flags.ts'
import { segmentLimits, segments } from '../../../db/schema/segments.ts'
import type { SegmentRow, segmentSorts } from '../../../db/schema/segments.ts'
import { changeAs } from '../access/rights.ts'
import { record } from '../activity/record.ts'
import type { Actor } from '../actor.ts'
import { segmentExists, segmentInUse, segmentNotFound, tooManySegments } from '../errors.ts'
import { bump } from '../freshness/epochs.ts'
import { page } from '../keyset.ts'
import type { Window } from '../keyset.ts'
import { requireRevision } from '../revisions.ts'
import type { Expected } from '../revisions.ts'
import {
  beginSegmentHistory,
  cleanSegment,
  insertSegment,
  removeSegment,
  rewriteSegment
} from './segment-writing.ts'
import type { SegmentDefinition } from './segment-writing.ts'

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
  return changeAs(db, actor, 'flags:create', insert, async (tx, by, made) => {
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
export async function changeSegment(
  db: Db,
  actor: Actor,
  {
    key,
    expected,
    change
  }: { key: string; expected?: Expected; change: (before: SegmentRow) => SegmentDefinition }
) {
  return changeAs(db, actor, 'flags:update', lockSegment(key), async (tx, by, [before]) => {
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
  await changeAs(db, actor, 'flags:delete', lock, async (tx, by, [found]) => {
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
