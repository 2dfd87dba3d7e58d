import { createHash, randomBytes } from 'node:crypto'
import path from 'node:path'
import vm from 'node:vm'
import { build } from 'esbuild'
import { createProofs } from '../src/domain/guard/proofs.ts'
import { startChromium } from '../test/browser/chromium.ts'
import { median } from './figures.ts'

// Measures how long a challenge takes by its difficulty: `npm run check -- challenges`. Prints the
// expected milliseconds, from the median of several solutions.

const rounds = Number(process.argv[2] ?? 9)
const measured = 2 ** 18
const difficulties = [16, 17, 18, 20, 22].map((bits) => 2 ** bits)
const proofs = createProofs([randomBytes(32)])
const issue = () =>
  proofs.issue({ purpose: 'registration', email: 'ada@example.com' }, measured, new Date())

/** Milliseconds for one hash. */
async function costOf(work: () => Promise<number>) {
  await work()
  const times = []
  for (let i = 0; i < rounds; i++) times.push(await work())
  return median(times) / measured
}

/** The functions of Node, as a script of a stranger would use them. */
async function hashInNode() {
  const input = randomBytes(20)
  const start = performance.now()
  for (let n = 0; n < measured; n++) {
    input.writeUInt32BE(n, 16)
    createHash('sha256').update(input).digest()
  }
  return performance.now() - start
}

async function solveHere() {
  const start = performance.now()
  await globalThis.proof.solve(issue())
  return performance.now() - start
}

const bundled = await build({
  entryPoints: [path.join(import.meta.dirname, '../src/client/proof.ts')],
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'proof'
})
const solver = bundled.outputFiles[0]?.text ?? ''
vm.runInThisContext(solver)
declare global {
  var proof: { solve(challenge: object): Promise<string> }
}
const ends: (() => unknown)[] = []
const { open } = await startChromium({ teardown: (end) => ends.push(end) })

/** The protocol slows the thread of a page, not its workers: there the page solves without one. */
async function costInChromium(slowdown: number) {
  const page = await open('about:blank')
  await page.addScriptTag({ content: solver })
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  if (slowdown > 1) await page.evaluate(() => Reflect.deleteProperty(globalThis, 'Worker'))
  const cost = await costOf(() =>
    page.evaluate(async (challenge) => {
      const start = performance.now()
      await globalThis.proof.solve(challenge)
      return performance.now() - start
    }, issue())
  )
  await page.close()
  return cost
}

const costs = {
  'createHash in Node': await costOf(hashInNode),
  'portal-client in Node': await costOf(solveHere),
  'Chromium, worker': await costInChromium(1),
  'Chromium, 4 times slower': await costInChromium(4),
  'Chromium, 6 times slower': await costInChromium(6)
}
for (const end of ends) await end()
console.table(
  Object.fromEntries(
    difficulties.map((difficulty) => [
      difficulty,
      Object.fromEntries(
        Object.entries(costs).map(([who, cost]) => [who, `${Math.round(cost * difficulty)} ms`])
      )
    ])
  )
)
