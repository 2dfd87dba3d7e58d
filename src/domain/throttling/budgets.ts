import { setBounded } from '../lru.ts'
import { rateLimited } from '../errors.ts'
import type { DomainError, RefusalDetails } from '../errors.ts'
import { objectKeys } from '../permissions.ts'

/** A rate limit: `burst` attempts at once, then one every `seconds`. */
export interface Budget {
  burst: number
  seconds: number
}

/**
 * Every rate limit by its name in activity records, with its default in production. The name of its
 * variable follows from it: THROTTLE_LOGIN_PAIR for login-pair.
 */
export const budgets = {
  'login-pair': { burst: 10, seconds: 30, limits: 'logins to one account from one address' },
  'login-source': { burst: 50, seconds: 5, limits: 'logins from one address' },
  'login-account': {
    burst: 30,
    seconds: 120,
    limits: 'logins to one account from any address, except from known devices'
  },
  'login-device': { burst: 10, seconds: 30, limits: 'logins from one known device' },
  register: {
    burst: 20,
    seconds: 60,
    limits: 'registrations from one address, and changes of the e-mail address without mail'
  },
  'mail-address': {
    burst: 3,
    seconds: 1200,
    limits:
      'mails to one e-mail address, whatever its tag and dots, for each of registration and ' +
      'confirmation, recovery, change of address, and invitation'
  },
  'mail-source': { burst: 20, seconds: 60, limits: 'requests for mail from one address' },
  'mail-total': {
    burst: 600,
    seconds: 1,
    limits: 'all mails of the portal that strangers can cause; over it they wait'
  },
  'mail-unproved': {
    burst: 20,
    seconds: 180,
    limits:
      'calls that cause such mail without a solved challenge; a mail that is confirmed no longer ' +
      'counts, and over the limit a call needs a solution'
  },
  'mail-unconfirmed': {
    burst: 1,
    seconds: 60,
    limits:
      'such mails while fewer than 30 of the last 100 that ask to confirm an address were ' +
      'confirmed; over it they wait'
  },
  invitation: { burst: 20, seconds: 180, limits: 'invitations to scopes by one user' },
  provider: {
    burst: 300,
    seconds: 1,
    limits:
      'sign-ins with providers that begin at one address and do not succeed; a known device has ' +
      'its own limit'
  },
  password: {
    burst: 10,
    seconds: 60,
    limits:
      'attempts to confirm the password in one session; five times as many in all sessions of a ' +
      'user, except to change the password'
  },
  'second-factor': {
    burst: 5,
    seconds: 120,
    limits: 'codes of a second factor for one account; a known device has its own limit'
  },
  export: {
    burst: 3,
    seconds: 3600,
    limits: "exports of a user's own data, counted in each instance"
  },
  'unknown-keys': {
    burst: 60,
    seconds: 1,
    limits: 'unknown API keys from one address, counted in each instance'
  },
  writes: {
    burst: 60,
    seconds: 1,
    limits:
      'changes in one session or with one API key, counted in each instance; five times as many ' +
      'by one user or service'
  }
} as const satisfies Record<string, Budget & { limits: string }>

/** The limit that all sessions and keys of one owner share. */
export const inTotal = ({ burst, seconds }: Budget): Budget => ({
  burst: burst * 5,
  seconds: seconds / 5
})

export type Limit = keyof typeof budgets
export const limits = objectKeys(budgets)
export type Budgets = Record<Limit, Budget>

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
      setBounded(whole, caller, found, capacity)
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
