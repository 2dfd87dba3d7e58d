import t from 'tap'
import { countsOf, startOf } from '../console/counts.ts'
import { bars, endsOf, line, roundUp } from '../console/plot-shapes.ts'
import { growth, levels, withSample } from '../console/samples.ts'
import type { Samples } from '../console/samples.ts'

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

t.test('a line has a gap where a value is missing', async (t) => {
  t.equal(line([0, 5, null, 10], 10), 'M0 100h0L1.3333333333333333 50M4 0h0')
})

t.test('each part of a line ends with a dot, also a single value', async (t) => {
  t.same(endsOf([null, 1, null, 2, 3]), [null, 1, null, null, 3])
  t.equal(line(endsOf([1, null, 2, 3]), 10), 'M0 90h0M4 70h0')
})

t.test('bars stand on those below them, and nothing is drawn for nothing', async (t) => {
  t.equal(bars([5, 0, null], [], 10), 'M0.1 100h.8v-50h-.8z')
  t.equal(bars([5, 5], [[2, null]], 10), 'M0.1 80h.8v-50h-.8zM1.1 100h.8v-50h-.8z')
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

t.test(
  'samples of metrics have a gap where none was taken, and a new process counts',
  async (t) => {
    const sample = (value: number) => ({
      metrics: [{ name: 'requests', help: '', type: 'counter' as const, values: [of(value)] }]
    })
    const of = (value: number) => ({ name: 'requests', labels: {}, value })
    const interval = 5000
    let samples: Samples = []
    for (const [at, value] of [
      [0, 10],
      [1, 60],
      [3, 160], // one was missed
      [4, 5] // the process has started again
    ] as const) {
      samples = withSample(samples, sample(value), at * interval)
    }
    t.same(levels(samples, 'requests'), [10, 60, null, 160, 5])
    t.same(growth(samples, 'requests'), [null, 10, null, null, null])
    for (let at = 5; at < 70; at += 1) samples = withSample(samples, sample(5), at * interval)
    t.equal(samples.length, 60, 'five minutes')
  }
)

t.test('what has no value yet is missing, and not zero', async (t) => {
  const metric = (name: string, value: number | null) => ({
    ...{ name, help: '', type: 'gauge' as const },
    values: [{ name, labels: {}, value }]
  })
  const metrics = [metric('delay', null), metric('running', 0)]
  const samples = withSample([], { metrics }, 0)
  t.equal(levels(samples, 'delay').at(-1), null)
  t.equal(levels(samples, 'unknown').at(-1), null)
  t.equal(levels(samples, 'running').at(-1), 0)
})
