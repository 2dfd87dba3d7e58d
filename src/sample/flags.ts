import type { Db } from '../../db/engine.ts'
import { flagEvaluations } from '../../db/schema/flags.ts'
import { transaction } from '../../db/transaction.ts'
import { createFlag, deleteFlag, updateFlag } from '../domain/flags/flags.ts'
import type { NewFlag } from '../domain/flags/flags.ts'
import { createSegment, updateSegment } from '../domain/flags/segments.ts'
import { day } from './history.ts'
import type { OperatorAt } from './history.ts'

/**
 * `days`: how many days ago it was created, changed, and perhaps deleted. `daily`: how many values
 * of each variant apps get on a day.
 */
type SampleFlag = NewFlag & {
  days: [created: number, changed: number, deleted?: number]
  daily?: Record<string, number>
}

export const sampleSegment = 'sample.pilot'

const boolean = (key: string, description: string) =>
  ({
    ...{ key, description, type: 'boolean' as const, variants: { on: true, off: false } },
    ...{ defaultVariant: 'off', offVariant: 'off' }
  }) as const
const split = (shares: Record<string, number>) => ({
  split: Object.entries(shares).map(([variant, percent]) => ({ variant, weight: percent * 1000 }))
})
const on = { serve: { variant: 'on' } }

/** @param soon when a rule begins */
const flagsBefore = (soon: Date): SampleFlag[] => [
  {
    ...boolean('sample.new-checkout', 'The checkout on one page'),
    rules: [
      { when: { segmentsAny: [sampleSegment] }, ...on },
      {
        when: { attributes: [{ name: 'country', op: 'in', values: ['FR', 'IT'] }] },
        serve: split({ on: 20, off: 80 })
      },
      { when: { from: soon.toISOString() }, ...on }
    ],
    ...{ days: [12, 1], daily: { off: 1200, on: 400 } }
  },
  {
    ...{ key: 'sample.greeting', description: 'The first sentence of the start page' },
    ...{ type: 'string', public: true, defaultVariant: 'plain', offVariant: 'plain' },
    variants: { plain: 'Welcome', warm: 'Good to see you', short: 'Hello' },
    rules: [{ when: {}, serve: split({ plain: 50, warm: 30, short: 20 }) }],
    ...{ days: [12, 3], daily: { plain: 800, warm: 480, short: 320 } }
  },
  {
    ...{ key: 'sample.upload-limit', description: 'Megabytes that a user may upload at a time' },
    ...{ type: 'number', permanent: true, defaultVariant: 'small', offVariant: 'small' },
    variants: { small: 10, large: 250 },
    rules: [{ when: { rolesAny: ['sample-editor'] }, serve: { variant: 'large' } }],
    ...{ days: [12, 5], daily: { small: 60, large: 20 } }
  },
  {
    ...{ key: 'sample.search', description: 'How the search ranks its results' },
    ...{ type: 'object', defaultVariant: 'words', offVariant: 'words', days: [12, 7] },
    variants: { words: { results: 20 }, meaning: { results: 50 } }
  },
  {
    ...boolean('sample.old-export', 'The export as a spreadsheet, which nobody uses any more'),
    ...{ state: 'disabled', days: [80, 40] } // nothing else is stale
  },
  {
    ...boolean('sample.summer-banner', 'The banner of the summer sale'),
    ...{ rules: [{ when: { rolesAny: ['sample-beta'] }, ...on }], days: [60, 45, 9] }
  }
]
export const sampleFlags = flagsBefore(new Date()).map(({ key }) => key)

/** Creates a segment and flags with their histories, and what apps have got since. */
export async function createFlags(db: Db, operatorAt: OperatorAt, now: Date) {
  const [key, when] = [sampleSegment, { rolesAny: ['sample-beta'] }]
  await createSegment(db, operatorAt(90), { key, when })
  const description = 'Customers who see new features first'
  await updateSegment(db, operatorAt(4), { key, changes: { description } })
  for (const { days, daily = {}, ...flag } of flagsBefore(new Date(now.getTime() + 3 * day))) {
    const [created, changed, deleted] = days
    const { key, type, ...changes } = flag
    const first = { description: '', state: 'enabled', rules: [] as NewFlag['rules'] } as const
    await createFlag(db, operatorAt(created), { ...flag, ...first })
    await updateFlag(db, operatorAt(changed), { key, changes })
    if (deleted !== undefined) await deleteFlag(db, operatorAt(deleted), { key })
    const rows = Object.entries(daily).flatMap(([variant, often]) =>
      Array.from({ length: created }, (_, ago) => ({
        ...{ flagKey: key, variant, kind: 'bulk' as const },
        day: new Date(now.getTime() - ago * day).toISOString().slice(0, 10),
        count: Math.round((often * (70 + ((ago * 17) % 40))) / 100)
      }))
    )
    if (rows.length > 0) {
      await transaction(db, (tx) => tx.insert(flagEvaluations).values(rows))
    }
  }
}
