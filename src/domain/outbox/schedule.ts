import { randomFraction } from '../crypto.ts'

/** Seconds from a failed delivery to the next; the last one repeats. */
const delays = [30, 120, 600, 1800, 3600, 7200, 14_400] as const

/** Seconds to wait after this many deliveries, 20 % more or less. */
export const retryDelay = (attempts: number) =>
  spread(delays[Math.min(attempts, delays.length) - 1] ?? delays[0])

/** 20 % more or less, so that what failed together is not repeated together. */
export const spread = (time: number) => time * (0.8 + 0.4 * randomFraction())
