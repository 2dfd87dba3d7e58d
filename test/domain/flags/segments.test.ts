// Not on PGlite: it uses no database.

import t from 'tap'
import type { Rule, SegmentWhen, When } from '../../../db/schema/flags.ts'
import { segmentsByKey } from '../../../src/domain/flags/conditions.ts'
import { contextAt, decide, sharesOf } from '../../../src/domain/flags/evaluation.ts'
import type { Caller } from '../../../src/domain/flags/evaluation.ts'
import { onOrOff } from '../../support/flags.ts'

const segmentsOf = (conditions: Record<string, SegmentWhen>) =>
  segmentsByKey(Object.entries(conditions).map(([key, when]) => ({ key, when })))
const flagWith = (...conditions: When[]) => {
  const rules: Rule[] = conditions.map((when) => ({ when, serve: { variant: 'on' } }))
  return { key: 'x', state: 'enabled' as const, public: true, ...onOrOff, rules }
}
const visitor = (targetingKey: string, attributes: Caller['attributes'] = {}): Caller => ({
  ...{ targetingKey, roles: [], signedIn: false, attributes }
})
const at = (caller: Caller, segments: ReturnType<typeof segmentsOf>) =>
  contextAt(caller, { segments, now: 0 })

t.test('a rule holds for callers of any of its segments, with its other conditions', (t) => {
  const segments = segmentsOf({ ann: { users: ['ann'] }, bob: { users: ['bob'] } })
  const german = [{ name: 'country', op: 'in' as const, values: ['DE'] }]
  const flag = flagWith({ segmentsAny: ['ann', 'bob'], attributes: german })
  const variantFor = (who: string, country: string) =>
    decide(flag, at(visitor(who, { country }), segments)).variant
  t.equal(variantFor('ann', 'DE'), 'on')
  t.equal(variantFor('bob', 'DE'), 'on')
  t.equal(variantFor('eve', 'DE'), 'off')
  t.equal(variantFor('ann', 'FR'), 'off')
  t.end()
})

t.test('nobody is in a segment that does not exist, or that this version cannot read', (t) => {
  const later = { users: ['ann'], weather: ['rain'] } as SegmentWhen
  const nested = { segmentsAny: ['nested'] } as SegmentWhen
  const timed = { from: '2000-01-01T00:00:00.000Z' } as SegmentWhen
  const segments = segmentsOf({ later, nested, timed })
  for (const key of ['later', 'nested', 'timed', 'missing', 'constructor', '__proto__']) {
    const flag = flagWith({ segmentsAny: [key] })
    t.equal(decide(flag, at(visitor('ann'), segments)).variant, 'off', key)
  }
  t.end()
})

t.test('a segment is decided once for a caller, however many rules name it', (t) => {
  let reads = 0
  const attributes = Object.defineProperty({}, 'country', {
    enumerable: true,
    get() {
      reads++
      return 'FR'
    }
  })
  const german = [{ name: 'country', op: 'in' as const, values: ['DE'] }]
  const segments = segmentsOf({ german: { attributes: german } })
  const flag = flagWith(...Array.from({ length: 20 }, () => ({ segmentsAny: ['german'] })))
  t.equal(decide(flag, at(visitor('ann', attributes), segments)).variant, 'off')
  t.equal(reads, 1)
  t.end()
})

t.test('made-up targeting keys are each decided on their own', (t) => {
  const users = Array.from({ length: 250 }, (_, n) => `key-${n + 1}`)
  const segments = segmentsOf({
    some: { users },
    others: { attributes: [{ name: 'targetingKey', op: 'endsWith', values: ['7'] }] },
    french: { users: ['key-999'], attributes: [{ name: 'country', op: 'in', values: ['FR'] }] }
  })
  const count = (flag: ReturnType<typeof flagWith>, country: string) =>
    sharesOf(flag, at(visitor('key-1', { country }), segments), 1000).find(
      ({ variant }) => variant === 'on'
    )?.count
  t.equal(count(flagWith({ segmentsAny: ['some'] }), 'DE'), 250)
  t.equal(count(flagWith({ segmentsAny: ['some', 'others'] }), 'DE'), 250 + 75)
  t.equal(count(flagWith({ segmentsAny: ['french'] }), 'DE'), 0)
  t.equal(count(flagWith({ segmentsAny: ['french'] }), 'FR'), 1)
  t.equal(count(flagWith({ segmentsAny: ['some'] }, { segmentsAny: ['french'] }), 'FR'), 251)
  t.end()
})
