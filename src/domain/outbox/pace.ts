import { spread } from './schedule.ts'

const atOnce = 10
/** The longest wait in milliseconds before the limit is asked again. */
const longestWait = 60_000

/**
 * Decides how many rows an instance delivers at a time, from the last results of the mail server
 * and of the limit for mail that strangers cause.
 * @param pause milliseconds between two deliveries while the mail server cannot be reached
 */
export function createPace(pause: number) {
  let reached = true
  let nextTry = 0
  let overLimit = false
  let strangersFrom = 0
  return {
    /** While the mail server cannot be reached, one mail is tried. The others stay due. */
    deliveries: () => (reached ? atOnce : performance.now() < nextTry ? 0 : 1),
    /** Over the limit one at a time, so that few rows are claimed only to wait. */
    strangers: () => (performance.now() < strangersFrom ? 0 : overLimit ? 1 : atOnce),
    sent() {
      reached = true
    },
    notReached() {
      reached = false
      nextTry = performance.now() + spread(pause)
    },
    /** Returns whether that is new. */
    limited(seconds: number): boolean {
      const isNew = !overLimit
      overLimit = true
      strangersFrom = performance.now() + Math.min(seconds * 1000, longestWait)
      return isNew
    },
    /** No mail of strangers waits. */
    drained() {
      overLimit = false
    }
  }
}
