import { median, quantile } from './figures.ts'

/** The durations of requests that should not differ, in milliseconds. */
export interface Times {
  wall: number[]
  /** The time of this process and its threads, including the little work of the client. */
  processor: number[]
}

const warmUp = 5

/**
 * Sends one request of each kind in each of `tries` rounds, in random order.
 * @param kinds send a request and read its response; the number of the try counts from 0
 */
export async function timesOf(
  kinds: Record<string, (attempt: number) => Promise<void>>,
  tries: number
): Promise<Map<string, Times>> {
  const times = new Map(
    Object.keys(kinds).map((kind): [string, Times] => [kind, { wall: [], processor: [] }])
  )
  for (let attempt = 0; attempt < tries + warmUp; attempt++) {
    for (const [kind, send] of shuffled(Object.entries(kinds))) {
      const [start, cpu] = [performance.now(), process.cpuUsage()]
      await send(attempt)
      if (attempt < warmUp) continue
      const { user, system } = process.cpuUsage(cpu)
      times.get(kind)?.wall.push(performance.now() - start)
      times.get(kind)?.processor.push((user + system) / 1000)
    }
  }
  return times
}

export const shuffled = <T>(all: readonly T[]) =>
  all
    .map((each) => ({ each, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ each }) => each)

/** How many tries `timesOf` makes, with those that it does not count. */
export const triesOf = (tries: number) => tries + warmUp

/**
 * Prints the times, and returns whether they differ by less than this share. Compares the times of
 * a round with each other, because a machine is not equally fast for long.
 */
export function judge(times: Map<string, Times>, allowed: number): boolean {
  const all = [...times.values()]
  const wall = toRound(all.map(({ wall }) => wall))
  const processor = toRound(all.map(({ processor }) => processor))
  const rows = [...times.keys()].map((kind, n) => [
    kind,
    {
      'median ms': rounded(median(all[n]?.wall ?? [])),
      'p10 ms': rounded(quantile(all[n]?.wall ?? [], 0.1)),
      'p90 ms': rounded(quantile(all[n]?.wall ?? [], 0.9)),
      'processor ms': rounded(median(all[n]?.processor ?? [])),
      'to its round': rounded(median(wall[n] ?? [])),
      // How often times of one distribution would differ as much as these and those of the first.
      'chance %': n === 0 ? '' : rounded(100 * mannWhitney(wall[0] ?? [], wall[n] ?? []))
    }
  ])
  console.table(Object.fromEntries(rows))
  const difference = spread(wall.map(median))
  const inProcessor = spread(processor.map(median))
  console.log(`Processor time differs by ${percent(inProcessor)} at most.`)
  console.log(
    `The times of ${wall[0]?.length} rounds differ by ${percent(difference)} at most ` +
      `(allowed: ${percent(allowed)}).`
  )
  return difference < allowed
}

/** Each time as a share of the mean of its round. */
function toRound(kinds: number[][]) {
  const sums = kinds[0]?.map((_, n) => kinds.reduce((sum, all) => sum + (all[n] ?? NaN), 0)) ?? []
  return kinds.map((all) => all.map((time, n) => (time * kinds.length) / (sums[n] ?? NaN)))
}

const spread = (medians: number[]) => Math.max(...medians) / Math.min(...medians) - 1
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const rounded = (value: number) => Math.round(value * 1000) / 1000

/**
 * The p-value of the Mann–Whitney U test, two-sided, in its normal approximation (from some 20
 * values each).
 */
export function mannWhitney(one: number[], other: number[]): number {
  const sorted = [...one.map((value) => [value, 1]), ...other.map((value) => [value, 0])].toSorted(
    ([a = 0], [b = 0]) => a - b
  )
  const ranks = sorted.reduce((sum, [, isOne = 0], index) => sum + isOne * (index + 1), 0)
  const [n, m] = [one.length, other.length]
  const u = ranks - (n * (n + 1)) / 2
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return 2 * (1 - normal(z))
}

/** The distribution function of the normal distribution (Abramowitz and Stegun, 26.2.17). */
function normal(z: number): number {
  const k = 1 / (1 + 0.2316419 * z)
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = terms.reduceRight((rest, term) => (rest + term) * k, 0)
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
