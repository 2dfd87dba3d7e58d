import * as bcrypt from '@node-rs/bcrypt'
import { passwordHashForm, passwordLength } from '../../../db/schema/users.ts'
import type { Bulkhead } from '../bulkhead.ts'
import { compare, costOf } from './comparison.js'
import { hmac, randomText } from '../crypto.ts'
import { invalidFields } from '../domain-error.ts'
import type { FieldError } from '../domain-error.ts'
import { overloaded } from '../errors.ts'
import { guessableReason } from './guessable.ts'
import type { Owner } from './guessable.ts'
import type { Hashing } from './hashing.ts'

/** bcrypt reads this many bytes and ignores the rest. */
const bcryptBytes = 72
/**
 * Marks a hash over a digest of the password. The stored value decides, never the input: a digest
 * typed as a password matches nothing.
 */
const digestMark = 'h384:'

/** For processes in which no other work waits for this thread. */
const here: Hashing = {
  hash: (password, cost) => bcrypt.hash(password, cost),
  verify: async (password, hash, cost) => compare({ password, hash, cost })
}

export interface PasswordRules {
  minLength: number
  cost: number
  bulkhead: Bulkhead
  /** How hashes are computed: in this thread by default. */
  hashing?: Hashing
  /** Returns the highest cost among the stored hashes. Called once, before the first comparison. */
  highestCost?: () => Promise<number>
}

export type Passwords = ReturnType<typeof createPasswords>

/** The only place where passwords are checked, hashed and compared. */
export function createPasswords(rules: PasswordRules) {
  const { minLength, cost, bulkhead, hashing = here, highestCost = async () => cost } = rules
  // Computed instead of a constant: bcrypt rejects an invalid hash at once, and the cost must
  // follow the configuration.
  const decoy = bcrypt.hash(randomText(24), cost)

  /**
   * The cost of the work that every rejection does: the configured one, or a higher stored one.
   */
  let highest = cost
  let learned: Promise<void> | undefined
  const learnHighest = () => {
    // Not retried after a failure, because a scan that times out would delay every login. A hash of
    // a higher cost is then noticed when a login meets it.
    learned ??= highestCost().then(
      (stored) => {
        highest = Math.max(highest, stored)
      },
      () => {}
    )
    return learned
  }

  return {
    /** Throws a refusal that names `field` when the password is not acceptable for `owner`. */
    async check(password: string, field: string, owner: Owner) {
      const problem = formProblem(password, minLength) ?? (await guessProblem(password, owner))
      if (problem) throw invalidFields({ pointer: `/${field}`, ...problem })
    },
    /** Throws `overloaded`, as `verify` does. `first` overtakes waiting work. */
    async hash(password: string, first?: boolean) {
      const normalized = password.normalize('NFC')
      const digested = needsDigest(normalized)
      const hashed = await bulkhead.run(
        () => hashing.hash(digested ? digest(normalized) : normalized, cost),
        first
      )
      return digested ? digestMark + hashed : hashed
    },
    /**
     * Always does one bcrypt comparison, against a decoy when there is no usable hash or the text
     * cannot match it. After a failure further hashes add up to the work of the highest cost in
     * use, so that the duration reveals nothing (OWASP Authentication Cheat Sheet). An unmarked
     * hash matches no text of more than 72 bytes, of which bcrypt would compare the beginning only.
     */
    async verify(password: string, stored: string | null | undefined, first?: boolean) {
      await learnHighest()
      const marked = stored?.startsWith(digestMark) ?? false
      const text = password.normalize('NFC')
      const comparable =
        isText(password) &&
        [...text].length <= passwordLength.max &&
        isHash(stored) &&
        (marked || Buffer.byteLength(text) <= bcryptBytes)
      const input = comparable ? text : 'no such password'
      const against = comparable ? stored.slice(marked ? digestMark.length : 0) : await decoy
      highest = Math.max(highest, costOf(against))
      const matches = await bulkhead.run(
        () => hashing.verify(marked ? digest(input) : input, against, highest),
        first
      )
      return comparable && matches
    },
    /** Throws `overloaded` when `verify` would, so that a request is rejected before other work. */
    assertRoom() {
      if (bulkhead.isFull()) throw overloaded()
    },
    /**
     * True when a hash that `verify` just matched should be replaced by one of the configured cost
     * and the current form.
     */
    isOutdated(password: string, stored: string) {
      const [mark, version] = stored.split('$')
      return (
        version !== '2b' ||
        costOf(stored) < cost ||
        (mark === '' && needsDigest(password.normalize('NFC')))
      )
    }
  }
}

function formProblem(password: string, minLength: number): Omit<FieldError, 'pointer'> | undefined {
  // bcrypt ends its key at NUL, and unpaired surrogates all become the same character, so different
  // passwords would match.
  if (!isText(password)) {
    return { code: 'invalid-characters', message: 'Must not contain NUL or unpaired surrogates' }
  }
  const length = [...password.normalize('NFC')].length
  if (length < minLength) return { code: 'too-short', message: `At least ${minLength} characters` }
  if (length > passwordLength.max) {
    return { code: 'too-long', message: `At most ${passwordLength.max} characters` }
  }
}

async function guessProblem(password: string, owner: Owner) {
  const message = await guessableReason(password, owner)
  return message === undefined ? undefined : ({ code: 'too-guessable', message } as const)
}

const isText = (password: string) => password.isWellFormed() && !password.includes('\0')
const isHash = (stored: string | null | undefined): stored is string =>
  stored != null && passwordHashForm.test(stored)
/**
 * From 72 bytes on, because an unmarked hash of exactly 72 bytes cannot be distinguished from the
 * truncated hash of a longer password.
 */
const needsDigest = (normalized: string) => Buffer.byteLength(normalized) >= bcryptBytes
const digest = (normalized: string) =>
  hmac('sha384', 'portal password', normalized).toString('base64')
