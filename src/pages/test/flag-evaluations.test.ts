import t from 'tap'
import { seriesOf } from '../console/flags/evaluation-series.ts'

const days = ['2026-11-22', '2026-11-23']
const of = (variant: string | null, single: number[], bulk: number[]) => ({ variant, single, bulk })

t.test('the plot shows the three most frequent variants, and the rest as one', async (t) => {
  const few = [of('on', [1, 2], [10, 20]), of(null, [3, 0], [0, 0])]
  t.same(seriesOf({ key: 'a', days, variants: few }), [
    { name: 'on', values: [11, 22], tone: 3 },
    { name: 'no value', values: [3, 0], tone: 2 }
  ])
  const many = ['a', 'b', 'c', 'd', 'e'].map((name, n) => of(name, [9 - n, 0], [0, 1]))
  t.same(
    seriesOf({ key: 'a', days, variants: many }).map(({ name, values }) => [name, values]),
    [
      ['a', [9, 1]],
      ['b', [8, 1]],
      ['c', [7, 1]],
      ['2 others', [11, 2]]
    ]
  )
  const four = seriesOf({ key: 'a', days, variants: many.slice(0, 4) })
  t.same(
    four.map(({ name }) => name),
    ['a', 'b', 'c', 'd']
  )
})
