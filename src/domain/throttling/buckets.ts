import { between, or } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { slowAfter, throttle } from '../../../db/schema/throttle.ts'
import type { Actor } from '../actor.ts'
import { hmac } from '../crypto.ts'
import { networksOf } from '../networks.ts'
import type { proofPurposes } from '../../problems/challenges.ts'
import { inTotal } from './budgets.ts'
import type { Budget, Budgets, Limit } from './budgets.ts'
import type { Device } from './devices.ts'
import { mailboxOf } from '../users/emails.ts'

export interface Bucket extends Budget {
  /** Name of the budget, for the activity record of a refusal. */
  limit: string
  key: Buffer
  /** The bucket belongs to one account, so a refusal concerns its owner. */
  personal?: true
  /** A success resets the number of failures. Not for addresses: many people may share one. */
  success?: 'clears'
  /** Another bucket whose failures a success resets. */
  alsoClears?: Buffer
  /** After `after` failures in a row: one attempt at a time, `seconds` apart. */
  slow?: { after: number; seconds: number }
}

/**
 * The buckets of one attempt. The first one also names its queue: that of the address, or of the
 * device or account where addresses are not counted.
 */
export type AttemptBuckets = readonly [Bucket, ...Bucket[]]

/** Names of the queues of a caller who has proved to belong to an account. */
export interface KnownCaller {
  account: Buffer
  source: Buffer
}

/** All keys from `first` to `last`. */
interface KeyRange {
  first: Buffer
  last: Buffer
}

/**
 * The rows of one account. `secondFactor` is separate, because a new password must not allow more
 * codes to be guessed.
 */
interface AccountKeys extends KeyRange {
  password: KeyRange
  /** Mail to the mailbox, whatever the tag in the address. */
  mail: KeyRange
  secondFactor: KeyRange
}

/** For a /48, which many clients may share, and for all devices of an account. */
const wideFactor = 10
const wider = ({ burst, seconds }: Budget) => ({
  burst: burst * wideFactor,
  seconds: seconds / wideFactor
})
/** Wrong codes in a row after which guessing becomes slow, and the owner gets a mail. */
export const guessesUntilSlow = 20
const slowFactor = 30
/** Half of an HMAC-SHA-256: 128 bits are enough for a name. */
const half = 16

/** Each cause of mail has its own limit at a mailbox, so that one cannot use up another's. */
type MailCause = (typeof proofPurposes)[number]

export type Buckets = ReturnType<typeof createBuckets>

/**
 * Creates the buckets of attempts. Their names are HMACs, so that addresses cannot be guessed from
 * the table without `key`, which must have no other use. The names of an account's buckets have the
 * same first half, so that one range of the primary key contains all of them. Addresses are
 * normalized.
 */
export function createBuckets(key: Uint8Array, budgets: Budgets) {
  const name = (limit: string, value: string) => hmac('sha256', key, `${limit}\0${value}`)
  const short = (limit: string, value: string) => name(limit, value).subarray(0, half)
  const nameIn = (range: Buffer, limit: string, value: string) =>
    Buffer.concat([range, short(limit, value)])
  const owner = (email: string) => short('account', email)
  const mailbox = (email: string) => short('mailbox', mailboxOf(email))
  const ofUser = (userId: string) => short('second-factor', userId)
  const personal = { personal: true, success: 'clears' } as const
  const ofAddress = (limit: Limit, ip: string | undefined): AttemptBuckets => {
    const [own, site] = networksOf(ip)
    const budget = budgets[limit]
    return [
      { limit, key: name(limit, own), ...budget },
      ...(site ? [{ limit, key: name(limit, site), ...wider(budget) }] : [])
    ]
  }
  /** A limit of the whole portal. */
  const ofAll = (limit: Limit): Bucket => ({ limit, key: name(limit, ''), ...budgets[limit] })
  const ofAccount = (
    limit: Limit,
    email: string,
    value: string,
    budget: Budget = budgets[limit]
  ) => ({ limit, key: nameIn(owner(email), limit, value), ...budget, ...personal })
  const ofLogin = (
    limit: Limit,
    email: string,
    value: string,
    budget: Budget = budgets[limit]
  ) => ({
    ...ofAccount(limit, email, value, budget),
    slow: { after: slowAfter, seconds: budget.seconds * slowFactor }
  })
  /** Attempts of others at the address of a known device do not count. */
  const ofDevice = (kind: string, limit: Limit, { id, nonce }: Device): AttemptBuckets => [
    { limit, key: name(kind, `${id}.${nonce}`), ...budgets[limit] },
    { limit, key: name(kind, id), ...wider(budgets[limit]) }
  ]
  const account = (email: string): Bucket => ofLogin('login-account', email, '')
  const ofPair = (email: string, ip: string | undefined) =>
    ofAccount('login-pair', email, networksOf(ip)[0])
  const ofDevices = (email: string) =>
    ofLogin('login-device', email, '', wider(budgets['login-device']))
  const ofPassword = (userId: string) => short('password', userId)
  const password = (userId: string, value: string, budget: Budget): Bucket => ({
    limit: 'password',
    key: nameIn(ofPassword(userId), 'password', value),
    ...budget,
    ...personal
  })
  const mailTo = (cause: MailCause, email: string): Bucket => ({
    limit: 'mail-address',
    key: nameIn(mailbox(email), 'mail-address', cause === 'registration' ? 'confirmation' : cause),
    ...budgets['mail-address']
  })
  /**
   * After 20 failures in a row, one code an hour: a guesser needs some 26 years for a chance of
   * one half.
   */
  const secondFactor = (userId: string, value: string, budget: Budget): Bucket => ({
    limit: 'second-factor',
    key: nameIn(ofUser(userId), 'second-factor', value),
    ...budget,
    ...personal,
    slow: { after: guessesUntilSlow, seconds: budget.seconds * slowFactor }
  })
  return {
    /**
     * A known device has its own limit instead of those that others can use up. All devices of
     * an account together have ten times as much, which limits even forged ones when a key leaked.
     * @param device its nonce, when the device is known
     */
    login: (email: string, ip: string | undefined, device: string | undefined): AttemptBuckets =>
      device === undefined
        ? [...ofAddress('login-source', ip), ofPair(email, ip), account(email)]
        : [
            {
              ...ofLogin('login-device', email, device),
              alsoClears: account(email).key
            },
            ofDevices(email)
          ],
    account,
    /**
     * The limits of an account that can be named without one of its devices.
     * @param ips from which somebody tried
     */
    signIns: (email: string, userId: string, ips: (string | undefined)[]): Bucket[] => [
      account(email),
      ofDevices(email),
      secondFactor(userId, '', budgets['second-factor']),
      secondFactor(userId, 'devices', wider(budgets['second-factor'])),
      ...ips.map((ip) => ofPair(email, ip))
    ],
    /**
     * The queues of a known caller, in which nothing is counted.
     * @param sessionId where each session has a queue, so that one does not hold up another
     */
    known: (userId: string, ip: string | undefined, sessionId = ''): KnownCaller => ({
      account: name('known', userId + sessionId),
      source: name('known-source', networksOf(ip)[0])
    }),
    /** Registrations that send no mail. */
    register: (ip: string | undefined): AttemptBuckets => ofAddress('register', ip),
    /** Mail to an address that need not belong to the person who asks. */
    mail: ({ id, ip }: Pick<Actor, 'id' | 'ip'>, cause: MailCause, email: string): AttemptBuckets =>
      cause === 'invitation' && id !== undefined
        ? [{ limit: cause, key: name(cause, id), ...budgets[cause] }, mailTo(cause, email)]
        : [
            ...ofAddress(cause === 'registration' ? 'register' : 'mail-source', ip),
            mailTo(cause, email)
          ],
    /** Mail of a signed-in user to their own confirmed address: others cannot use it up. */
    ownMail: (ip: string | undefined, email: string): AttemptBuckets => [
      ...ofAddress('mail-source', ip),
      ofAccount('mail-address', email, '')
    ],
    ofAll,
    /** Mail that a known device or a session of a user causes without a proof. */
    mailByKnown: (userId: string): Bucket => ({
      limit: 'mail-address',
      key: name('mail-known', userId),
      ...budgets['mail-address']
    }),
    /** Uses of one-time tokens, and sign-ins with a passkey before it is known whose. */
    source: (ip: string | undefined): AttemptBuckets => ofAddress('login-source', ip),
    /** Sign-ins with a provider that begin, and logout tokens. */
    provider: (ip: string | undefined, device?: Device): AttemptBuckets =>
      device ? ofDevice('provider-device', 'provider', device) : ofAddress('provider', ip),
    /**
     * Returns from a provider, before it is known whose. Each asks the provider, so a known device
     * gets no wider limit than for logins.
     */
    providerReturn: (ip: string | undefined, device?: Device): AttemptBuckets =>
      device
        ? ofDevice('provider-return-device', 'login-device', device)
        : ofAddress('login-source', ip),
    /** Each session has its own limit, so that a thief with another one cannot use it up. */
    password: (userId: string, sessionId: string): AttemptBuckets => [
      password(userId, sessionId, budgets.password),
      password(userId, '', inTotal(budgets.password))
    ],
    /** To change it, which ends what a thief has: nobody else shares this limit. */
    newPassword: (userId: string, sessionId: string): AttemptBuckets => [
      password(userId, sessionId, budgets.password)
    ],
    /**
     * A known device has its own limit, with twice the pace, so that a stranger who knows the
     * password cannot lock the owner out. All devices of an account together have ten times as
     * much: a thief may have collected many before there was a second factor.
     * @param device its nonce, when the device is known
     */
    secondFactor: (userId: string, device: string | undefined): AttemptBuckets => {
      const budget = budgets['second-factor']
      const bucket = secondFactor(userId, '', budget)
      if (device === undefined) return [bucket]
      const own = { burst: budget.burst, seconds: budget.seconds / 2 }
      return [
        { ...secondFactor(userId, device, own), alsoClears: bucket.key },
        secondFactor(userId, 'devices', wider(budget))
      ]
    },
    /** A limit of the app: of a user or a service, else of the address. */
    ofApp: (limit: string, budget: Budget, { id, ip }: Actor): AttemptBuckets => {
      const [first, site] = id === undefined ? networksOf(ip) : [id]
      return [
        { limit, key: name(`app ${limit}`, first), ...budget },
        ...(site ? [{ limit, key: name(`app ${limit}`, site), ...wider(budget) }] : [])
      ]
    },
    /** Every bucket that can block the owner of an account, except those of addresses. */
    accountKeys: (email: string, userId: string): AccountKeys => ({
      ...rangeOf(owner(email)),
      password: rangeOf(ofPassword(userId)),
      mail: rangeOf(mailbox(email)),
      secondFactor: rangeOf(ofUser(userId))
    })
  }
}

const rangeOf = (firstHalf: Buffer): KeyRange => ({
  first: Buffer.concat([firstHalf, Buffer.alloc(half)]),
  last: Buffer.concat([firstHalf, Buffer.alloc(half, 255)])
})

/** Deletes the buckets of an account except those of its second factor. Returns their number. */
export const deleteThrottles = (tx: Db, keys: AccountKeys) =>
  deleteBuckets(tx, or(isIn(keys), isIn(keys.mail), isIn(keys.password)))

/** Deletes the buckets of the second factor, of all devices. Returns their number. */
export const deleteCodeThrottles = (tx: Db, { secondFactor }: AccountKeys) =>
  deleteBuckets(tx, isIn(secondFactor))

const isIn = ({ first, last }: KeyRange) => between(throttle.bucket, first, last)

async function deleteBuckets(tx: Db, which: SQL | undefined) {
  const deleted = await tx.delete(throttle).where(which).returning({ fails: throttle.fails })
  return deleted.length
}
