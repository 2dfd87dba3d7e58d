// Not on PGlite: it uses no database.

import t from 'tap'
import { setBounded } from '../../src/domain/lru.ts'

t.test('the entry that was set the longest ago is evicted first', async (t) => {
  const map = new Map<string, number>()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4]
  ] as const) {
    setBounded(map, key, value, 2)
  }
  t.same(
    [...map],
    [
      ['a', 3],
      ['c', 4]
    ]
  )
})
