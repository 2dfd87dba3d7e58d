import { Type } from '@sinclair/typebox'
import { createBuckets } from '../domain/throttling/buckets.ts'
import { budgets, limits } from '../domain/throttling/budgets.ts'
import type { Budget, Budgets, Limit } from '../domain/throttling/budgets.ts'
import { signingKey, subKey } from './keys.ts'
import type { Key } from './keys.ts'

const form = /^([1-9]\d{0,5})\/((?!0+(?:\.0+)?$)\d{1,6}(?:\.\d{1,3})?)$/

type InCapitals<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Uppercase<First>}_${InCapitals<Rest>}`
  : Uppercase<Name>

export type BudgetName = `THROTTLE_${InCapitals<Limit>}`

const nameOf = (limit: Limit) =>
  `THROTTLE_${limit.replaceAll('-', '_').toUpperCase()}` as BudgetName

export const budgetNames = limits.map(nameOf)

export const formatBudget = ({ burst, seconds }: Budget) => `${burst}/${seconds}`

const byName = <T>(value: (limit: Limit) => T) =>
  Object.fromEntries(limits.map((limit) => [nameOf(limit), value(limit)])) as Record<BudgetName, T>

export const budgetVariables = byName((limit) =>
  Type.String({
    pattern: form.source,
    description:
      `burst/seconds: 10/30 allows 10 at once, then one every 30 seconds; ` +
      `${budgets[limit].limits}`,
    meaning: budgets[limit].limits, // instead of the description, in docs/lookup/configuration.md
    unset: `\`${formatBudget(budgets[limit])}\``
  })
)

/** Development allows ten times as much, so that trying things out does not reach a limit. */
export const defaultBudgets = (development: boolean) =>
  byName((limit) => {
    const { burst, seconds } = budgets[limit]
    return development ? `${burst * 10}/${seconds / 10}` : `${burst}/${seconds}`
  })

export function parseBudget(text: string): Budget {
  const [, burst, seconds] = form.exec(text) ?? []
  return { burst: Number(burst), seconds: Number(seconds) }
}

export const parseBudgets = (values: Record<BudgetName, string>) =>
  byName((limit) => parseBudget(values[nameOf(limit)]))

/** The buckets of all instances that share this database. */
export const bucketsOf = (config: Record<BudgetName, Budget> & { SECRET_KEYS: Key[] }) =>
  createBuckets(subKey(signingKey(config.SECRET_KEYS), 'throttle'), budgetsOf(config))

/** The rate limits of a configuration by their names in the domain. */
export const budgetsOf = (config: Record<BudgetName, Budget>) =>
  Object.fromEntries(limits.map((limit) => [limit, config[nameOf(limit)]])) as Budgets
