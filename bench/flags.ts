import type { FlagRow, Rule } from '../db/schema/flags.ts'
import type { Db } from '../db/engine.ts'
import { createEvaluationCounts } from '../src/domain/flags/evaluation-counts.ts'
import { contextAt, contextOfVisitor, evaluateAll } from '../src/domain/flags/evaluation.ts'
import { atMost, median, round, save } from './figures.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 15) * 20
const [flagCount, ruleCount, evaluations] = [200, 10, 40]

/**
 * Measures a bulk evaluation of 200 flags with ten rules each, with and without counting. Both take
 * turns in one process and are compared round by round, because a machine is not equally fast for
 * long.
 */
export async function bulkEvaluation() {
  const all = new Map(Array.from({ length: flagCount }, (_, n) => aFlag(n)).map((f) => [f.key, f]))
  // Nothing is flushed, so no database is needed.
  const { count } = createEvaluationCounts(undefined as unknown as Db, () => {})
  const evaluate = (n: number) =>
    evaluateAll(
      all,
      contextAt(contextOfVisitor(`visitor-${n}`, { country: 'FR', age: n }), {
        segments: new Map(),
        now: 0
      })
    )
  const kinds = {
    without: (n: number) => evaluate(n).flags.length,
    counted(n: number) {
      const { flags } = evaluate(n)
      count('bulk', flags)
      return flags.length
    }
  }
  const times = { without: [] as number[], counted: [] as number[] }
  let seen = 0
  for (let turn = 0; turn < rounds; turn++) {
    const names = turn % 2 ? (['counted', 'without'] as const) : (['without', 'counted'] as const)
    for (const name of names) {
      const before = process.cpuUsage()
      for (let n = 0; n < evaluations; n++) seen += kinds[name](turn * evaluations + n)
      const { user, system } = process.cpuUsage(before)
      times[name].push((user + system) / evaluations)
    }
  }
  if (seen !== 2 * rounds * evaluations * flagCount) throw new Error('flags are missing')
  const counted = times.counted.map((time, turn) => time / (times.without[turn] ?? NaN))
  save(
    'flags',
    [
      atMost('processor time of a bulk evaluation with counting, to without', median(counted), 1.01)
    ],
    {
      flags: flagCount,
      rules: ruleCount,
      microseconds: {
        without: round(median(times.without)),
        counted: round(median(times.counted))
      }
    }
  )
}

/** Every caller passes all rules but the last one, which splits. */
function aFlag(n: number): FlagRow {
  const conditions: Rule['when'][] = [
    { attributes: [{ name: 'country', op: 'in', values: ['DE', 'AT', 'CH'] }] },
    { users: Array.from({ length: 20 }, (_, m) => `user-${n}-${m}`) },
    { rolesAny: ['beta', 'staff'] }
  ]
  const rules: Rule[] = Array.from({ length: ruleCount - 1 }, (_, m) => ({
    when: conditions[m % conditions.length] ?? {},
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
