import fc from 'fast-check'
import t from 'tap'
import { epochs } from '../../../db/schema/epochs.ts'
import type { Rule } from '../../../db/schema/flags.ts'
import { contextAt, createFlagCache, decide } from '../../../src/domain/flags/evaluation.ts'
import { upcomingChanges } from '../../../src/common/upcoming-changes.ts'
import { storedTime, withStoredTimes } from '../../../src/domain/flags/times.ts'
import { testDatabase } from '../../support/app.ts'
import { onOrOff } from '../../support/flags.ts'

const day = 86_400_000
const minute = 60_000
const segments = new Map()
const start = Date.UTC(2026, 11, 1)

/** Writes a time as text with this offset in minutes. */
function textOf(time: number, offset: number) {
  const local = new Date(time + offset * minute).toISOString().slice(0, -1)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`
}
const offsets = [0, 60, 120, 330, 345, 525, 570, 765, 840, -30, -60, -150, -210, -240, -300].concat(
  [-480, -570, -600, -660, -720]
)

const spans = fc.record({
  from: fc.option(fc.integer({ min: 0, max: 60 * day }), { nil: undefined }),
  until: fc.option(fc.integer({ min: 0, max: 60 * day }), { nil: undefined }),
  role: fc.boolean(),
  offset: fc.constantFrom(...offsets)
})
const ruleOf = ({ from, until, role, offset }: ReturnType<typeof sampleOf>): Rule => ({
  when: {
    ...(role && { rolesAny: ['beta'] }),
    ...(from !== undefined && { from: textOf(start + from, offset) }),
    ...(until !== undefined && { until: textOf(start + until, -offset) })
  },
  serve: { variant: 'on' }
})
const sampleOf = () =>
  fc.sample(spans, 1)[0] as { [K in 'from' | 'until']?: number | undefined } & {
    role: boolean
    offset: number
  }

t.test('at 1,000 random times, rules decide as a naive model does', async (t) => {
  const wrong: unknown[] = []
  let on = 0
  for (let n = 0; n < 1000; n++) {
    const given = Array.from({ length: 4 }, sampleOf)
    const rules = given.map(ruleOf).map(withStoredTimes)
    const edges = given
      .flatMap(({ from, until }) => [from, until])
      .filter((each) => each !== undefined)
    const edge = edges[n % (edges.length || 1)] ?? 0
    // Every other time is a boundary, or the moment before it.
    const time =
      start + (n % 2 ? edge - (n % 4 === 1 ? 1 : 0) : (fc.sample(fc.nat(60 * day), 1)[0] ?? 0))
    const roles = n % 3 ? ['beta'] : []
    const flag = { key: 'x', state: 'enabled' as const, public: true, ...onOrOff, rules }
    const context = contextAt({ roles, signedIn: true, attributes: {} }, { segments, now: time })
    const expected = given.findIndex(({ from, until, role }) => {
      if (role && !roles.includes('beta')) return false
      if (from !== undefined && time < start + from) return false
      return until === undefined || time < start + until
    })
    const { rule } = decide(flag, context)
    if (rule !== (expected < 0 ? null : expected)) wrong.push({ given, time, rule, expected })
    on += expected < 0 ? 0 : 1
    const next = Math.min(
      ...edges.map((each) => start + each).filter((each) => each > time),
      Infinity
    )
    t.equal(upcomingChanges(flag, time)[0]?.at.getTime() ?? Infinity, next)
  }
  t.same(wrong, [])
  t.ok(on > 100 && on < 900, `${on} match`)
})

t.test('times are stored in UTC with milliseconds', async (t) => {
  for (const offset of offsets) {
    t.equal(storedTime(textOf(start, offset)), '2026-12-01T00:00:00.000Z', `${offset}`)
  }
  for (const [text, stored] of [
    ['2026-12-01T00:00:00Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T00:00:00.123456789Z', '2026-12-01T00:00:00.123Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59-00:01', undefined],
    ['0000-01-01T00:00:00+00:01', undefined],
    ['2026-12-31T23:59:60Z', undefined],
    ['monday', undefined]
  ] as const) {
    t.equal(storedTime(text), stored, text)
  }
})

t.test('a rule with a part that is not known never matches', async (t) => {
  const when = { weather: ['rain'] } as Rule['when']
  const flag = { key: 'x', state: 'enabled' as const, public: true, ...onOrOff }
  const context = contextAt({ roles: [], signedIn: true, attributes: {} }, { segments, now: 0 })
  const serve = { variant: 'on' }
  t.match(decide({ ...flag, rules: [{ when, serve }] }, context), { variant: 'off', rule: null })
  t.match(decide({ ...flag, rules: [{ when: {}, serve }] }, context), { variant: 'on' })
})

t.test('the time is that of the read which says that the flags are current', async (t) => {
  const { db } = await testDatabase(t)
  const stored = await db.select().from(epochs).orderBy(epochs.scope)
  const values = stored.map(({ value }) => String(value))
  let now = 2000
  const readFlags = createFlagCache(db, (done) => done(undefined, { values, now }))
  t.ok((await readFlags()).now > start / 2, 'of the statement that read the flags')
  t.equal((await readFlags()).now, 2000, 'of the shared read')
  now = 5000
  t.equal((await readFlags()).now, 5000)
})
