import type { components } from '../../openapi/api.d.ts'

type ProofChallenge = components['schemas']['ProofChallenge']
type Search = (salt: string, difficulty: number, from: number, to: number) => number[]

/**
 * Creates a function that finds the numbers that count among those from `from` to below `to`. It
 * has SHA-256 (FIPS 180-4) of one block, because the functions of browsers are asynchronous, which
 * takes longer than the hash. A worker runs the text of it, so it uses nothing outside.
 */
function createSearch(): Search {
  /** The first 32 bits of the fractional parts of roots of primes. */
  const roots = (count: number, power: number) => {
    const found = new Int32Array(count)
    for (let n = 2, i = 0; i < count; n++) {
      let isPrime = true
      for (let d = 2; d * d <= n; d++) isPrime &&= n % d > 0
      if (isPrime) found[i++] = (n ** (1 / power) % 1) * 2 ** 32
    }
    return found
  }
  const constants = roots(64, 3)
  const start = roots(8, 2)
  const w = new Int32Array(64)
  /** The first four bytes of the hash. Numbers that stay small are three times as fast. */
  const hash = () => {
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      const one = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
      const two = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
      w[i] = (((w[i - 16]! + w[i - 7]!) | 0) + ((one + two) | 0)) | 0
    }
    let [a, b, c, d] = [start[0]!, start[1]!, start[2]!, start[3]!]
    let [e, f, g, h] = [start[4]!, start[5]!, start[6]!, start[7]!]
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const choice = ((e & f) ^ (~e & g)) + ((constants[i]! + w[i]!) | 0)
      const one = (((h + s1) | 0) + (choice | 0)) | 0
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    return (a + start[0]!) >>> 0
  }
  return (salt, difficulty, from, to) => {
    const bytes = atob(salt.replaceAll('-', '+').replaceAll('_', '/'))
    w.fill(0)
    for (let i = 0; i < 16; i++) w[i >> 2] = (w[i >> 2]! << 8) | bytes.charCodeAt(i)
    w[5] = 1 << 31
    w[15] = 160 // bits
    const found = []
    for (let n = from; n < to; n++) {
      w[4] = n
      if (hash() < 2 ** 35 / difficulty) found.push(n)
    }
    return found
  }
}

/** Numbers to find, and numbers to look at in one go: some 20 ms of a desktop computer. */
const wanted = 8
const slice = 16_384
/** After this many milliseconds, `onWork` is called. */
const unseen = 1000
/** Milliseconds for which a page without a worker is slow at most. */
const patience = 30_000

/**
 * Solves a challenge, and returns the value of the header Portal-Proof. Without workers, the page
 * goes on to respond between slices, and after half a minute this throws.
 * @param onWork called with the number of seconds that it takes, if it takes more than one, and
 * with 0 at its end
 */
export async function solve(challenge: ProofChallenge, onWork?: (seconds: number) => void) {
  const { salt, difficulty, expiresAt, signature } = challenge
  const began = performance.now()
  const search = createSearch()
  let worker = openWorker()
  const found: number[] = []
  let isTold = false
  try {
    for (let from = 0; found.length < wanted; from += slice) {
      const range = [salt, difficulty, from, from + slice] as const
      const seen = await worker?.search(...range)
      if (!seen) {
        worker?.close() // the policy of the page forbids such workers
        worker = undefined
        await new Promise((resolve) => setTimeout(resolve))
      }
      found.push(...(seen ?? search(...range)))
      const taken = performance.now() - began
      if (!isTold && taken > unseen) {
        isTold = true
        onWork?.(Math.max(2, Math.round((taken / 1000) * (difficulty / (from + slice)))))
      }
      if (!worker && taken > patience) throw new Error('The challenge takes too long here.')
    }
  } finally {
    worker?.close()
    onWork?.(0)
  }
  return [salt, difficulty, expiresAt, signature, found.slice(0, wanted).join(',')].join(';')
}

/** Undefined where there are no workers. */
function openWorker() {
  const text = `const search = (${createSearch})()
onmessage = ({ data }) => postMessage(search(...data))`
  try {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    const worker = new Worker(url)
    return {
      search: (...range: Parameters<Search>) =>
        new Promise<number[] | undefined>((resolve) => {
          worker.onmessage = ({ data }) => resolve(data as number[])
          worker.onerror = () => resolve(undefined)
          worker.postMessage(range)
        }),
      close() {
        worker.terminate()
        URL.revokeObjectURL(url)
      }
    }
  } catch {
    return undefined
  }
}
