import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { flagEvaluations } from '../../db/schema/flag-evaluations.ts'
import { updateFlag } from '../../src/domain/flags/flags.ts'
import { createSegment } from '../../src/domain/flags/segments.ts'
import { operator } from '../support/app.ts'

/** Gives a flag of the sample a history, a time ahead and evaluations, and makes a segment. */
export async function fillFlags({ db }: FastifyInstance, key: string) {
  const segment = 'sample.pilot'
  await createSegment(db, operator, {
    key: segment,
    description: 'Shops that try new features first',
    when: {
      rolesAny: ['sample-beta'],
      attributes: [{ name: 'country', op: 'in', values: ['DE', 'AT'] }]
    }
  })
  const change = (changes: Parameters<typeof updateFlag>[2]['changes']) =>
    updateFlag(db, operator, { key, changes })
  await change({ description: 'The checkout on one page, with saved addresses' })
  await change({ state: 'disabled' })
  await change({
    state: 'enabled',
    rules: [
      { when: { segmentsAny: [segment] }, serve: { variant: 'on' } },
      { when: { from: '2126-12-01T07:00:00.000Z' }, serve: { variant: 'on' } }
    ]
  })
  await db.insert(flagEvaluations).values(
    Array.from({ length: 30 }, (_, n) => n).flatMap((n) =>
      (['on', 'off', ''] as const).map((variant, m) => ({
        flagKey: key,
        day: sql`(now() at time zone 'UTC')::date - ${n}::integer`,
        variant,
        kind: 'bulk' as const,
        count: [1200 - n * 37, 900 + n * 21, 4][m] ?? 0
      }))
    )
  )
  return segment
}
