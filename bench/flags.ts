import type { Db } from '../db/engine.ts'
import type { FlagRow, Rule, SegmentWhen } from '../db/schema/flags.ts'
import type { Segments } from '../src/domain/flags/conditions.ts'
import { createEvaluationCounts } from '../src/domain/flags/evaluation-counts.ts'
import { contextAt, contextOfVisitor, evaluateAll } from '../src/domain/flags/evaluation.ts'
import type { Flags } from '../src/domain/flags/evaluation.ts'
import { atMost, median, round, save } from './figures.ts'
import { shuffled } from './timing.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 15) * 20
const [flagCount, ruleCount, segmentCount, evaluations] = [200, 10, 20, 40]

/**
 * Measures a bulk evaluation of 200 flags with ten rules each, alone and with a third of the
 * conditions in segments. They take turns in one process, in random order, and are compared round by
 * round, because a machine is not equally fast for long. Counting is too quick for that: its own
 * time is measured, after each of further evaluations, which have taken its memory from the caches.
 */
export async function bulkEvaluation() {
  const inRules = flagsWith((n, m) => conditions(n, m))
  const inSegments = flagsWith((n, m) =>
    m % 3 === 2
      ? { segmentsAny: [`segment-${n % segmentCount}`, `segment-${(n + m) % segmentCount}`] }
      : conditions(n, m)
  )
  const segments: Segments = new Map(
    Array.from({ length: segmentCount }, (_, n) => [`segment-${n}`, conditions(n, n)])
  )
  // Nothing is flushed, so no database is needed.
  const { count } = createEvaluationCounts(undefined as unknown as Db, () => {})
  const evaluate = (all: Flags, n: number) =>
    evaluateAll(
      all,
      contextAt(contextOfVisitor(`visitor-${n}`, { country: 'FR', age: n }), { segments, now: 0 })
    ).flags
  /** Microseconds in this round. */
  let counting = 0
  const kinds = {
    alone: (n: number) => evaluate(inRules, n).length,
    counted(n: number) {
      const flags = evaluate(inRules, n)
      const before = process.hrtime.bigint()
      count('bulk', flags)
      counting += Number(process.hrtime.bigint() - before) / 1000
      return flags.length
    },
    segments: (n: number) => evaluate(inSegments, n).length
  }
  const names = ['alone', 'counted', 'segments'] as const
  const times = { alone: [] as number[], counted: [] as number[], segments: [] as number[] }
  const countingTimes: number[] = []
  let seen = 0
  for (let turn = 0; turn < rounds; turn++) {
    counting = 0
    for (const name of shuffled(names)) {
      const before = process.cpuUsage()
      for (let n = 0; n < evaluations; n++) seen += kinds[name](turn * evaluations + n)
      const { user, system } = process.cpuUsage(before)
      times[name].push((user + system) / evaluations)
    }
    countingTimes.push(counting / evaluations)
  }
  if (seen !== names.length * rounds * evaluations * flagCount) throw new Error('flags are missing')
  const toAlone = (all: number[]) => all.map((time, turn) => time / (times.alone[turn] ?? NaN))
  save(
    'flags',
    [
      atMost('time of counting, to that of a bulk evaluation', toAlone(countingTimes), 0.01),
      atMost(
        'processor time of a bulk evaluation with segments, to without',
        toAlone(times.segments),
        1.2
      )
    ],
    {
      flags: flagCount,
      rules: ruleCount,
      segments: segmentCount,
      microseconds: {
        alone: round(median(times.alone)),
        counting: round(median(countingTimes)),
        segments: round(median(times.segments))
      }
    }
  )
}

/** A caller who meets none passes all rules but the last one, which splits. */
export function conditions(n: number, m: number): SegmentWhen {
  const kinds: SegmentWhen[] = [
    { attributes: [{ name: 'country', op: 'in', values: ['DE', 'AT', 'CH'] }] },
    { users: Array.from({ length: 20 }, (_, i) => `user-${n}-${i}`) },
    { rolesAny: ['beta', 'staff'] }
  ]
  return kinds[m % kinds.length] ?? {}
}

export const flagsWith = (
  when: (n: number, m: number) => Rule['when'],
  { flags, rules } = { flags: flagCount, rules: ruleCount }
): Flags =>
  new Map(Array.from({ length: flags }, (_, n) => aFlag(n, when, rules)).map((f) => [f.key, f]))

function aFlag(n: number, when: (n: number, m: number) => Rule['when'], count: number): FlagRow {
  const rules: Rule[] = Array.from({ length: count - 1 }, (_, m) => ({
    when: when(n, m),
    serve: { variant: 'on' }
  }))
  const split = [
    { variant: 'on', weight: 50_000 },
    { variant: 'off', weight: 50_000 }
  ]
  return {
    key: `flag-${String(n).padStart(3, '0')}`,
    description: '',
    type: 'boolean',
    state: 'enabled',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    rules: [...rules, { when: {}, serve: { split } }],
    public: true,
    permanent: false,
    version: 1,
    createdAt: new Date(),
    updatedAt: new Date()
  }
}
