import { rateLimited } from '../errors.ts'
import type { DomainError } from '../domain-error.ts'
import type { Budget } from './budgets.ts'

/**
 * Counts the changes of each user in this process (GCRA), by a clock that is never set back.
 * @param clock milliseconds
 */
export function createWriteBudget({ burst, seconds }: Budget, clock = () => performance.now()) {
  const step = seconds * 1000
  /** For each user, the time at which their full budget is available again. */
  const whole = new Map<string, number>()
  return {
    /** Counts a change, or returns a refusal. */
    charge(userId: string): DomainError | undefined {
      const now = clock()
      const next = Math.max(whole.get(userId) ?? 0, now) + step
      const wait = next - now - burst * step
      if (wait > 0) return rateLimited(Math.ceil(wait / 1000), { limit: 'writes', userId })
      whole.set(userId, next)
    },
    /** Removes users whose full budget is available. Returns the number of the remaining ones. */
    sweep(): number {
      const now = clock()
      for (const [userId, at] of whole) if (at <= now) whole.delete(userId)
      return whole.size
    }
  }
}
