// Not on PGlite: it uses no database.

import t from 'tap'
import { createAttemptQueue } from '../../../src/domain/throttling/admission.ts'

/** Work that ends when the test releases it. */
function works() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      begun.push(name)
      ends.push(resolve)
    })
  const endAll = async (all: Promise<void>[]) => {
    const done = Promise.all(all).then(() => true)
    const turn = () =>
      new Promise<false>((resolve) => {
        setImmediate(resolve, false)
      })
    while (!(await Promise.race([done, turn()]))) for (const end of ends.splice(0)) end()
  }
  return { begun, work, endAll }
}
const known = (account: string, source: string) => ({
  account: Buffer.from(account),
  source: Buffer.from(source)
})

t.test('known callers run one at a time per account, from any number of addresses', async (t) => {
  const queue = createAttemptQueue(2)
  const { begun, work, endAll } = works()
  const all = ['here', 'there', 'elsewhere'].map((source) =>
    queue.inTurnOfKnownCaller(known('ada', source), work(`ada ${source}`))
  )
  all.push(queue.inTurnOfKnownCaller(known('grace', 'here'), work('grace')))
  await new Promise(setImmediate)
  t.same(begun, ['ada here', 'grace'])
  await endAll(all)
  t.same(begun, ['ada here', 'grace', 'ada there', 'ada elsewhere'])
})

t.test('known callers of one address are limited separately from its strangers', async (t) => {
  const queue = createAttemptQueue(2)
  const { begun, work, endAll } = works()
  const source = Buffer.from('here')
  const strangers = [1, 2, 3].map((n) => queue.inTurn(source, work(`stranger ${n}`)))
  const accounts = ['ada', 'grace', 'alan'].map((name) =>
    queue.inTurnOfKnownCaller(known(name, 'here'), work(name))
  )
  const other = queue.inTurnOfKnownCaller(known('edsger', 'there'), work('edsger'))
  await new Promise(setImmediate)
  t.same(begun.toSorted(), ['ada', 'edsger', 'grace', 'stranger 1', 'stranger 2'])
  await endAll([...strangers, ...accounts, other])
  t.equal(begun.length, 7)
})
