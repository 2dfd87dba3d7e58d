import { randomBytes } from 'node:crypto'
import { mock } from 'node:test'
import t from 'tap'
import { solve } from '../../src/client/proof.ts'
import { createProofs } from '../../src/domain/guard/proofs.ts'

const proofs = createProofs([randomBytes(32)])
const asked = { purpose: 'registration', email: 'ada@example.com' } as const

t.test(
  'the client solves challenges as the portal expects it, also without a worker',
  async (t) => {
    for (const difficulty of [8, 1000, 65_536]) {
      const challenge = proofs.issue(asked, difficulty, new Date())
      const waits: number[] = []
      const proof = await solve(challenge, (seconds) => waits.push(seconds))
      t.match(proofs.read(asked, proof), { difficulty }, `${difficulty}`)
      t.equal(waits.at(-1), 0, 'and says when it has ended')
    }
  }
)

t.test('a challenge that takes long says how long', async (t) => {
  const waits: number[] = []
  const challenge = proofs.issue(asked, 2 ** 26, new Date())
  const endless = solve(challenge, (seconds) => {
    waits.push(seconds)
    if (waits.length === 1) throw new Error('that is too long for me')
  })
  await t.rejects(endless, { message: 'that is too long for me' })
  t.ok((waits[0] ?? 0) > 10)
})

t.test('a page whose policy forbids the worker solves the challenge itself', async (t) => {
  class Forbidden {
    onerror?: () => void
    postMessage() {
      setTimeout(() => this.onerror?.())
    }
    terminate() {
      ended++
    }
  }
  let ended = 0
  globalThis.Worker = Forbidden as unknown as typeof Worker
  t.teardown(() => Reflect.deleteProperty(globalThis, 'Worker'))
  const proof = await solve(proofs.issue(asked, 1000, new Date()))
  t.match(proofs.read(asked, proof), { difficulty: 1000 })
  t.equal(ended, 1)
})

t.test('a page without a worker gives up after half a minute', async (t) => {
  const now = performance.now.bind(performance)
  let looks = 0
  const clock = mock.method(performance, 'now', () => now() + 20_000 * looks++)
  t.teardown(() => clock.mock.restore())
  const challenge = proofs.issue(asked, 2 ** 26, new Date())
  await t.rejects(solve(challenge), { message: 'The challenge takes too long here.' })
})
