import { setNewest } from '../bounded-map.ts'
import type { DomainError, RefusalDetails } from '../domain-error.ts'
import { rateLimited } from '../errors.ts'
import type { Budget, Limit } from './budgets.ts'

/** Maximum number of callers that are counted; beyond it the oldest ones are forgotten. */
const capacity = 100_000

/**
 * Counts the attempts of each caller in this process (GCRA), by a clock that is never set back.
 * @param clock milliseconds
 */
export function createProcessBudget(
  limit: Limit,
  { burst, seconds }: Budget,
  clock = () => performance.now()
) {
  const step = seconds * 1000
  // Whole milliseconds: the sums of fractions are not exact, and would refuse a first attempt.
  const read = () => Math.floor(clock())
  /** For each caller, the time at which their full budget is available again. */
  const whole = new Map<string, number>()
  /** When the budget is whole again after another attempt, or a refusal. */
  const next = (caller: string, now: number, details: RefusalDetails) => {
    const at = Math.max(whole.get(caller) ?? 0, now) + step
    const wait = at - now - burst * step
    return wait > 0 ? rateLimited(Math.ceil(wait / 1000), { limit, ...details }) : at
  }
  return {
    /** Counts an attempt, or returns a refusal. */
    charge(caller: string, details: RefusalDetails = {}): DomainError | undefined {
      const found = next(caller, read(), details)
      if (typeof found !== 'number') return found
      setNewest(whole, caller, found, capacity)
    },
    /** The refusal of an attempt now, which is not counted; undefined when there is room. */
    refusal(caller: string, details: RefusalDetails = {}): DomainError | undefined {
      const found = next(caller, read(), details)
      return typeof found === 'number' ? undefined : found
    },
    /** Removes callers whose full budget is available. Returns the number of the remaining ones. */
    sweep(): number {
      const now = read()
      for (const [caller, at] of whole) if (at <= now) whole.delete(caller)
      return whole.size
    }
  }
}
