import { rateLimited } from '../errors.ts'
import type { DomainError } from '../domain-error.ts'
import type { Budget } from './budgets.ts'

/**
 * Counts the changes of each user in this process (GCRA), by a clock that is never set back.
 * @param clock milliseconds
 */
export function createWriteBudget({ burst, seconds }: Budget, clock = () => performance.now()) {
  const step = seconds * 1000
  /** By user: when their budget is whole again. */
  const whole = new Map<string, number>()
  return {
    /** Counts a change, or returns the refusal. */
    charge(userId: string): DomainError | undefined {
      const now = clock()
      const next = Math.max(whole.get(userId) ?? 0, now) + step
      const wait = next - now - burst * step
      if (wait > 0) return rateLimited(Math.ceil(wait / 1000), { limit: 'writes', userId })
      whole.set(userId, next)
    },
    /** Forgets the users whose budget is whole. Returns how many are left. */
    sweep(): number {
      const now = clock()
      for (const [userId, at] of whole) if (at <= now) whole.delete(userId)
      return whole.size
    }
  }
}
