import { Type } from '@sinclair/typebox'
import type { Budget, Budgets } from '../domain/throttling/buckets.ts'

const form = /^([1-9]\d{0,5})\/((?!0+(?:\.0+)?$)\d{1,6}(?:\.\d{1,3})?)$/

/** Every budget an operator can set: its variable, what production has, and what it bounds. */
const budgets = {
  THROTTLE_LOGIN_PAIR: {
    production: { burst: 10, seconds: 30 },
    bounds: 'logins to one account from one address'
  },
  THROTTLE_LOGIN_SOURCE: {
    production: { burst: 50, seconds: 5 },
    bounds: 'logins from one address'
  },
  THROTTLE_LOGIN_ACCOUNT: {
    production: { burst: 30, seconds: 120 },
    bounds: 'logins to one account from wherever, without a known device'
  },
  THROTTLE_LOGIN_DEVICE: {
    production: { burst: 10, seconds: 30 },
    bounds: 'logins from one known device'
  },
  THROTTLE_REGISTER: {
    production: { burst: 20, seconds: 60 },
    bounds: 'registrations from one address'
  },
  THROTTLE_PASSWORD: {
    production: { burst: 10, seconds: 60 },
    bounds: 'what asks a signed-in user for the password again'
  },
  THROTTLE_WRITES: {
    production: { burst: 60, seconds: 1 },
    bounds: 'changes by a signed-in user, counted in each instance'
  }
} as const

export type BudgetName = keyof typeof budgets
export const budgetNames = Object.keys(budgets) as BudgetName[]

export const budgetVariables = Object.fromEntries(
  Object.entries(budgets).map(([name, { bounds }]) => [
    name,
    Type.String({
      pattern: form.source,
      description: `burst/seconds, as in 10/30: so many at once, then one every so many seconds; ${bounds}`
    })
  ])
) as Record<BudgetName, ReturnType<typeof Type.String>>

/** What counts where nothing is set. Trying things out never meets a limit: development has ten times as much. */
export const defaultBudgets = (development: boolean) =>
  Object.fromEntries(
    Object.entries(budgets).map(
      ([
        name,
        {
          production: { burst, seconds }
        }
      ]) => [
        name,
        formatBudget(
          development ? { burst: burst * 10, seconds: seconds / 10 } : { burst, seconds }
        )
      ]
    )
  ) as Record<BudgetName, string>

export const formatBudget = ({ burst, seconds }: Budget) => `${burst}/${seconds}`

export function parseBudget(text: string): Budget {
  const [, burst, seconds] = form.exec(text) ?? []
  return { burst: Number(burst), seconds: Number(seconds) }
}

/** Those that are counted in the database, by what they are for. */
export const budgetsOf = (config: Record<BudgetName, Budget>): Budgets => ({
  loginPair: config.THROTTLE_LOGIN_PAIR,
  loginSource: config.THROTTLE_LOGIN_SOURCE,
  loginAccount: config.THROTTLE_LOGIN_ACCOUNT,
  loginDevice: config.THROTTLE_LOGIN_DEVICE,
  register: config.THROTTLE_REGISTER,
  password: config.THROTTLE_PASSWORD
})
