import t from 'tap'
import { countsOf, startOf } from '../console/counts.ts'
import { bars, roundUp } from '../console/plot-shapes.ts'

t.test('a scale ends at a number whose half is round', async (t) => {
  for (const [highest, end] of [
    [0, 1],
    [1, 1],
    [3, 4],
    [7, 8],
    [9, 10],
    [11, 12],
    [190, 200],
    [201, 300],
    [0.2, 0.2],
    [4100, 6000]
  ] as const) {
    t.equal(roundUp(highest), end, String(highest))
  }
})

t.test('bars stand on those below them, and nothing is drawn for nothing', async (t) => {
  t.equal(bars([5, 0], [], 10), 'M0.1 100h.8v-50h-.8z')
  t.equal(bars([5, 5], [[2, 0]], 10), 'M0.1 80h.8v-50h-.8zM1.1 100h.8v-50h-.8z')
})

t.test('records are counted in every bucket of a period, also where there are none', async (t) => {
  const item = { action: 'auth.login', outcome: 'success', count: 1 } as const
  const counted = countsOf({
    bucket: 'day',
    from: '2026-11-22T08:00:00Z',
    to: '2026-11-25T00:00:00Z',
    items: [
      { ...item, start: '2026-11-22T00:00:00Z', occurrences: 2 },
      { ...item, start: '2026-11-24T00:00:00Z', occurrences: 3 },
      { ...item, start: '2026-11-24T00:00:00Z', outcome: 'failure', occurrences: 7 }
    ]
  })
  t.equal(counted.times.length, 3)
  t.same(
    counted.valuesOf(({ outcome }) => outcome === 'success'),
    [2, 0, 3]
  )
  t.same(
    counted.valuesOf(() => true),
    [2, 0, 10]
  )
  const at = Date.parse('2026-11-24T12:34:56Z')
  t.equal(startOf('hour', at, 2), Date.parse('2026-11-24T10:00:00Z'))
})
