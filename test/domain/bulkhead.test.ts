import t from 'tap'
import { createBulkhead } from '../../src/domain/bulkhead.ts'

/** Work that ends on request, and the order in which it started. */
function works() {
  const begun: string[] = []
  const end = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      end.set(name, () => resolve(name))
    })
  return {
    begun,
    work,
    end: async (name: string) => {
      end.get(name)?.()
      await new Promise(setImmediate)
    }
  }
}
const busy = { code: 'overloaded', statusCode: 503, retryAfter: 1 }

t.test('work beyond the running and waiting limits is rejected at once', async (t) => {
  const bulkhead = createBulkhead({ running: 2, waiting: 2, maxWait: 60_000 })
  const { begun, work, end } = works()
  const all = ['a', 'b', 'c', 'd'].map((name) => bulkhead.run(work(name)))
  await t.rejects(bulkhead.run(work('e')), busy)
  t.same(begun, ['a', 'b'])
  for (const name of ['a', 'b', 'c', 'd']) await end(name)
  t.same(await Promise.all(all), ['a', 'b', 'c', 'd'])
  t.same(begun, ['a', 'b', 'c', 'd'])
  const later = bulkhead.run(work('f'))
  await end('f')
  t.equal(await later, 'f', 'and there is room again')
})

t.test(
  'urgent work overtakes waiting work, and displaces the last of it when there is no room',
  async (t) => {
    const bulkhead = createBulkhead({ running: 1, waiting: 2, maxWait: 60_000 })
    const { begun, work, end } = works()
    bulkhead.run(work('a'))
    const [b, c] = [bulkhead.run(work('b')), bulkhead.run(work('c'))]
    const displaced = t.rejects(c, busy)
    bulkhead.run(work('known'), 'known')
    await displaced
    await end('a')
    await end('known')
    await end('b')
    await b
    t.same(begun, ['a', 'known', 'b'])
  }
)

t.test('urgent work is rejected when it already has half of the places', async (t) => {
  const bulkhead = createBulkhead({ running: 1, waiting: 1, maxWait: 60_000 })
  const { work, end } = works()
  bulkhead.run(work('a'))
  const known = bulkhead.run(work('known'), 'known')
  await t.rejects(bulkhead.run(work('another'), 'known'), busy)
  await end('a')
  await end('known')
  t.equal(await known, 'known')
})

t.test('work waits no longer than the limit', async (t) => {
  const bulkhead = createBulkhead({ running: 1, waiting: 2, maxWait: 20 })
  const { begun, work, end } = works()
  const first = bulkhead.run(work('a'))
  await t.rejects(bulkhead.run(work('late')), busy)
  await end('a')
  await first
  const next = bulkhead.run(work('b'))
  await end('b')
  await next
  t.same(begun, ['a', 'b'], 'what was refused is never begun')
})

t.test('failed work leaves the queue', async (t) => {
  const bulkhead = createBulkhead({ running: 1, waiting: 1, maxWait: 60_000 })
  await t.rejects(
    bulkhead.run(async () => {
      throw new Error('broken')
    }),
    { message: 'broken' }
  )
  t.equal(await bulkhead.run(async () => 'well'), 'well')
})

t.test('urgent work takes at most half of the places and displaces no more', async (t) => {
  const bulkhead = createBulkhead({ running: 1, waiting: 4, maxWait: 60_000 })
  const { begun, work, end } = works()
  const running = bulkhead.run(work('a'))
  const others = ['b', 'c', 'd', 'e'].map((name) => bulkhead.run(work(name)))
  const displaced = others.slice(2).map((other) => t.rejects(other, busy))
  const urgent = ['u', 'v'].map((name) => bulkhead.run(work(name), 'known'))
  await Promise.all(displaced)
  await t.rejects(bulkhead.run(work('w'), 'known'), busy)
  t.same(bulkhead.load(), { running: 1, waiting: 4 })
  for (const name of ['a', 'u', 'v', 'b', 'c']) await end(name)
  await Promise.all([running, ...urgent, ...others.slice(0, 2)])
  t.same(begun, ['a', 'u', 'v', 'b', 'c'])
})

t.test('every third turn goes to other waiting work', async (t) => {
  const bulkhead = createBulkhead({ running: 1, waiting: 8, maxWait: 60_000 })
  const { begun, work, end } = works()
  const all = [bulkhead.run(work('a'))]
  for (const name of ['b', 'c']) all.push(bulkhead.run(work(name)))
  for (const name of ['u', 'v', 'w', 'x']) all.push(bulkhead.run(work(name), 'known'))
  for (let i = 0; i < all.length; i++) await end(begun[i] ?? '')
  await Promise.all(all)
  t.same(begun, ['a', 'u', 'v', 'b', 'w', 'x', 'c'])
})

t.test('proved work starts after known work and before others', async (t) => {
  const bulkhead = createBulkhead({ running: 1, waiting: 8, maxWait: 60_000 })
  const { begun, work, end } = works()
  const all = [
    ...['a', 'b', 'c'].map((name) => bulkhead.run(work(name))),
    ...['p', 'q', 'r'].map((name) => bulkhead.run(work(name), 'proved')),
    bulkhead.run(work('k'), 'known')
  ]
  for (let i = 0; i < all.length; i++) await end(begun[i] ?? '')
  await Promise.all(all)
  t.same(begun, ['a', 'k', 'p', 'b', 'q', 'r', 'c'])
})

t.test('proved work displaces others until it has a quarter of the places', async (t) => {
  const bulkhead = createBulkhead({ running: 1, waiting: 4, maxWait: 60_000 })
  const { begun, work, end } = works()
  const running = bulkhead.run(work('a'))
  const others = ['b', 'c', 'd', 'e'].map((name) => bulkhead.run(work(name)))
  const displaced = others.slice(1).map((other) => t.rejects(other, busy))
  const proved = bulkhead.run(work('p'), 'proved')
  await t.rejects(bulkhead.run(work('q'), 'proved'), busy)
  const known = ['k', 'l'].map((name) => bulkhead.run(work(name), 'known'))
  await Promise.all(displaced)
  for (const name of ['a', 'k', 'l', 'b', 'p']) await end(name)
  await Promise.all([running, ...known, ...others.slice(0, 1), proved])
  t.same(begun, ['a', 'k', 'l', 'b', 'p'])
})
