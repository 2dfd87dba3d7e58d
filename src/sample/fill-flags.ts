import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { flagEvaluations, flagRevisions, flags, segments } from '../../db/schema/flags.ts'
import { definitionOf } from '../domain/flags/writing.ts'
import { sampleFlags, sampleSegment } from './flags.ts'
import type { SampleFlag } from './flags.ts'
import { createChance } from './random.ts'

const day = 86_400_000
const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * day)

const actor = { actorType: 'cli', actorLabel: 'sample' } as const

/** Stores a segment and flags with their histories, and what apps have got since. */
export async function insertFlags(tx: Db, now: Date) {
  const all = sampleFlags(daysBefore(now, -3))
  const { before, made, changed, ...segment } = sampleSegment
  const [createdAt, updatedAt] = [daysBefore(now, made), daysBefore(now, changed)]
  await tx.insert(segments).values({ ...segment, version: 2, createdAt, updatedAt })
  await tx.insert(flags).values(
    all
      .filter(({ deleted }) => deleted === undefined)
      .map(({ key, definition, made, changed }) => ({
        ...{ key, ...definition, version: 2 },
        ...{ createdAt: daysBefore(now, made), updatedAt: daysBefore(now, changed) }
      }))
  )
  await tx.insert(flagRevisions).values([
    {
      ...{ ...actor, kind: 'segment', key: segment.key, version: 1, change: 'create' },
      ...{
        fields: [],
        definition: definitionOf(segments, { ...segment, ...before }),
        at: createdAt
      }
    },
    {
      ...{ ...actor, kind: 'segment', key: segment.key, version: 2, change: 'update' },
      ...{ fields: ['when'], definition: definitionOf(segments, segment), at: updatedAt }
    },
    ...all.flatMap((flag) => historyOf(flag, now))
  ])
  await tx.insert(flagEvaluations).values(evaluationsOf(all, now))
}

function historyOf({ key, definition, before, made, changed, deleted }: SampleFlag, now: Date) {
  const first = { ...definition, ...before }
  const common = { ...actor, kind: 'flag' as const, key }
  return [
    {
      ...{ ...common, version: 1, change: 'create' as const, fields: [] },
      ...{ definition: definitionOf(flags, first), at: daysBefore(now, made) }
    },
    {
      ...{ ...common, version: 2, change: 'update' as const, fields: Object.keys(before) },
      ...{ definition: definitionOf(flags, definition), at: daysBefore(now, changed) }
    },
    ...(deleted === undefined
      ? []
      : [
          {
            ...{ ...common, version: 3, change: 'delete' as const, fields: [] },
            ...{ definition: null, at: daysBefore(now, deleted) }
          }
        ])
  ]
}

function evaluationsOf(all: SampleFlag[], now: Date) {
  const chance = createChance(2)
  return all.flatMap(({ key, made, evaluations }) =>
    Array.from({ length: made }, (_, ago) =>
      Object.entries(evaluations).map(([variant, often]) => ({
        flagKey: key,
        day: daysBefore(now, ago).toISOString().slice(0, 10),
        ...{ variant, kind: 'bulk' as const },
        count: Math.round((often * (70 + chance.below(40))) / 100)
      }))
    ).flat()
  )
}

/** Deletes the flags and the segment, with all that belongs to them. */
export async function deleteFlags(tx: Db) {
  const keys = sampleFlags(new Date()).map(({ key }) => key)
  await tx.delete(flags).where(inArray(flags.key, keys))
  await tx.delete(flagEvaluations).where(inArray(flagEvaluations.flagKey, keys))
  await tx.delete(segments).where(eq(segments.key, sampleSegment.key))
  for (const [kind, gone] of [
    ['flag', keys],
    ['segment', [sampleSegment.key]]
  ] as const) {
    await tx
      .delete(flagRevisions)
      .where(and(eq(flagRevisions.kind, kind), inArray(flagRevisions.key, gone)))
  }
}
