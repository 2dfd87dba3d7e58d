import { mock } from 'node:test'
import t from 'tap'
import { runEvery } from '../src/repeat.ts'

t.beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
t.afterEach(() => mock.timers.reset())

/** Work that ends on request, and a count of its runs. */
function work() {
  const ends: (() => void)[] = []
  return {
    ends,
    begin: () => new Promise<void>((resolve) => ends.push(resolve))
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('a run that is due during another is skipped', async (t) => {
  const { begin, ends } = work()
  const { run, stop } = runEvery(1000, begin)
  t.equal(ends.length, 0)
  mock.timers.tick(1000)
  mock.timers.tick(1000)
  const joined = run()
  t.equal(ends.length, 1)
  ends[0]?.()
  await joined
  mock.timers.tick(1000)
  t.equal(ends.length, 2)
  ends[1]?.()
  await stop()
})

t.test('stopping waits for the current run, and no other follows', async (t) => {
  const { begin, ends } = work()
  const { stop } = runEvery(1000, begin)
  mock.timers.tick(1000)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await turn()
  t.equal(stopped, false)
  ends[0]?.()
  await stopping
  mock.timers.tick(10_000)
  t.equal(ends.length, 1)
})

t.test('the timer does not keep the process alive', async (t) => {
  mock.timers.reset()
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const { stop } = runEvery(60_000, async () => {})
  t.equal(timers(), before)
  await stop()
})
