import { keysOf } from '../keys-of.ts'

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
      'mails to one e-mail address, with all its tags, for each of registration and ' +
      'confirmation, recovery, and change of address'
  },
  'mail-source': { burst: 20, seconds: 60, limits: 'requests for mail from one address' },
  'mail-total': {
    burst: 600,
    seconds: 1,
    limits: 'all mails of the portal that strangers can cause; over it they wait'
  },
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
export const limits = keysOf(budgets)
export type Budgets = Record<Limit, Budget>
