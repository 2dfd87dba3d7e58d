import { v7 as uuid } from 'uuid'
import { randomFraction } from './crypto.ts'

/** Begins at random in the lower half, so that 2^31 ids come before an overflow. */
let sequence = Math.floor(randomFraction() * 2 ** 31)

/**
 * The id of a row that was created at this time. Ids of this process grow with each call, also
 * within a millisecond, so that rows of the same time keep their order (RFC 9562, section 6.2). The
 * library counts only where it takes the time itself.
 */
export function idAt(at: Date): string {
  sequence = (sequence + 1) >>> 0
  return uuid({ msecs: Math.max(0, at.getTime()), seq: sequence }) // an id has no times before 1970
}
