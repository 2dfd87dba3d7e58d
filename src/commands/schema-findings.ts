import type { Db } from '../../db/engine.ts'
import { findBrokenIndexes } from '../../db/index-check.ts'
import type { BrokenIndex } from '../../db/index-check.ts'
import { countMissingEpochs } from '../../db/missing-epochs.ts'
import { ok, problem } from './findings.ts'
import type { Outcome } from './findings.ts'

const states = ['missing', 'invalid', 'different'] as const

/** Whether each index is as in the schema: a restore may leave some out, and a build may fail. */
export async function indexFinding(db: Db): Promise<Outcome> {
  const broken = await findBrokenIndexes(db)
  if (broken.length === 0) return ok('as in the schema')
  const named = (state: BrokenIndex['state']) => {
    const names = broken.filter((index) => index.state === state).map(({ name }) => name)
    return names.length > 0 ? [`${state}: ${names.join(', ')}`] : []
  }
  const unique = broken.some((index) => index.unique)
  return problem(
    states.flatMap(named).join('; ') +
      (unique ? '; without a unique index, equal values can be stored' : ''),
    'Run: portal migrate --repair\n    It builds them while servers run.'
  )
}

export async function epochsFinding(db: Db): Promise<Outcome> {
  const missing = await countMissingEpochs(db)
  return missing === 0
    ? ok('complete')
    : problem(
        `missing rows: ${missing}; requests that need one of them get 503`,
        'Run: portal refresh\n    It adds them, and every instance reloads its data.'
      )
}
