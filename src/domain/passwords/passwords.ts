import * as bcrypt from '@node-rs/bcrypt'
import { foreignHashForm, passwordHashForm, passwordLength } from '../../../db/schema/users.ts'
import type { Bulkhead } from '../bulkhead.ts'
import { hmac, randomText } from '../crypto.ts'
import { invalidFields, overloaded } from '../errors.ts'
import type { FieldError } from '../errors.ts'
import { compare, costOf } from './comparison.js'
import { foreignMark, foreignWork } from './foreign-comparison.js'
import { guessableReason } from './guessable.ts'
import type { Owner } from './guessable.ts'
import type { Hashing, Work } from './hashing.ts'

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
  verify: (password, hash, work) => compare({ password, hash, work })
}

export interface PasswordRules {
  minLength: number
  cost: number
  bulkhead: Bulkhead
  /** How hashes are computed: in this thread by default. */
  hashing?: Hashing
  /** Returns the work of the stored hashes. Called once, before the first comparison. */
  storedWork?: () => Promise<Work>
}

export type Passwords = ReturnType<typeof createPasswords>

/** The only place where passwords are checked, hashed and compared. */
export function createPasswords(rules: PasswordRules) {
  const { minLength, cost, bulkhead, hashing = here, storedWork } = rules
  // Computed instead of a constant: bcrypt rejects an invalid hash at once, and the cost must
  // follow the configuration.
  const decoy = bcrypt.hash(randomText(24), cost)

  /** The work of every rejection: at the configured cost, or more for hashes that need more. */
  let work: Work = { cost, foreign: {} }
  let learned: Promise<void> | undefined
  const learn = ({ cost, foreign }: Work) => {
    const kinds = { ...work.foreign }
    for (const [kind, amount] of Object.entries(foreign)) {
      kinds[kind] = Math.max(kinds[kind] ?? 0, amount)
    }
    work = { cost: Math.max(work.cost, cost), foreign: kinds }
  }
  const learnStored = () => {
    // Not retried after a failure, because a scan that times out would delay every login. A hash
    // that needs more work is then noticed when a login meets it.
    learned ??= storedWork?.().then(learn, () => {}) ?? Promise.resolve()
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
     * Always does one comparison, against a decoy when there is no usable hash or the text cannot
     * match it. After a failure further hashes add up to the work of all hashes in use, so that the
     * duration reveals nothing (OWASP Authentication Cheat Sheet). An unmarked hash matches no text
     * of more than 72 bytes, of which bcrypt would compare the beginning only.
     */
    async verify(password: string, stored: string | null | undefined, first?: boolean) {
      await learnStored()
      const marked = stored?.startsWith(digestMark) ?? false
      const isForeign = stored?.startsWith(foreignMark) ?? false
      const text = password.normalize('NFC')
      const comparable =
        isText(password) &&
        [...text].length <= passwordLength.max &&
        isHash(stored) &&
        (marked || isForeign || Buffer.byteLength(text) <= bcryptBytes)
      const input = comparable ? (isForeign ? password : text) : 'no such password'
      const against = comparable ? stored.slice(marked ? digestMark.length : 0) : await decoy
      const met = foreignWork(against)
      learn(
        met ? { cost, foreign: { [met.kind]: met.amount } } : { cost: costOf(against), foreign: {} }
      )
      const matches = await bulkhead.run(
        () => hashing.verify(marked ? digest(input) : input, against, work),
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
     * and the current form. Every foreign hash is.
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
  stored != null && (passwordHashForm.test(stored) || foreignHashForm.test(stored))
/**
 * From 72 bytes on, because an unmarked hash of exactly 72 bytes cannot be distinguished from the
 * truncated hash of a longer password.
 */
const needsDigest = (normalized: string) => Buffer.byteLength(normalized) >= bcryptBytes
const digest = (normalized: string) =>
  hmac('sha384', 'portal password', normalized).toString('base64')
