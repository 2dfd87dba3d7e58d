import { limits } from '../../src/domain/throttling/budgets.ts'
import type { Budget, Budgets } from '../../src/domain/throttling/budgets.ts'

/** The same for every rate limit. */
export const everyLimit = (budget: Budget) =>
  Object.fromEntries(limits.map((limit) => [limit, budget])) as Budgets
