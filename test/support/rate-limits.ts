import { limits } from '../../src/domain/throttling/budgets.ts'
import type { Budget, Budgets } from '../../src/domain/throttling/budgets.ts'

/** One budget for every rate limit. */
export const everyLimit = (budget: Budget) =>
  Object.fromEntries(limits.map((limit) => [limit, budget])) as Budgets
