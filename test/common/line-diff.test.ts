import t from 'tap'
import { diffLines } from '../../src/common/line-diff.ts'

t.test('a difference has the fewest lines, and turns one text into the other', async (t) => {
  const before = ['a', 'b', 'c', 'd', 'e']
  t.same(diffLines(before, ['a', 'x', 'c', 'e']), ['  a', '- b', '+ x', '  c', '- d', '  e'])
  t.same(diffLines([], ['a']), ['+ a'])
  t.same(diffLines(['a'], []), ['- a'])
  t.same(diffLines(['a', 'a'], ['a']), ['  a', '- a'])
  const lines = (from: number) => Array.from({ length: 6000 }, (_, n) => `${from + n}`)
  const large = diffLines(lines(0), lines(10_000))
  t.same([large.length, large[0], large.at(-1)], [12_000, '- 0', '+ 15999'])
})
