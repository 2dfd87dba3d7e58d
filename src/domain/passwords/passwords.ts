import * as bcrypt from '@node-rs/bcrypt'
import { passwordHashForm } from '../../../db/schema/users.ts'
import type { Bulkhead } from './bulkhead.ts'
import { compare, costOf } from './comparison.js'
import { hmac, randomText } from '../crypto.ts'
import { invalidFields, overloaded } from '../errors.ts'
import { whyGuessable } from './guessable.ts'
import type { Owner } from './guessable.ts'
import type { Hashing } from './hashing.ts'

/** Code points. The request schema's bound is wider: it only limits the work. */
const maxLength = 128
/** bcrypt reads this many bytes and ignores the rest. */
const bcryptBytes = 72
/**
 * Marks a hash over a digest of the password. The stored value decides, never the input: a digest
 * typed as a password matches nothing.
 */
const digestMark = 'h384:'

/** Where nothing else waits for this thread. */
const here: Hashing = {
  hash: (password, cost) => bcrypt.hash(password, cost),
  verify: async (password, hash, cost) => compare({ password, hash, cost })
}

export interface Passwords {
  /** Refuses, naming `field`, what may not become the password of `owner`. */
  check(password: string, field: string, owner: Owner): Promise<void>
  /** Throws `overloaded`, as `verify` does. `first` goes before others that wait. */
  hash(password: string, first?: boolean): Promise<string>
  /**
   * One bcrypt comparison, whoever asks: against a decoy when there is no usable hash or the text cannot be its password.
   * Where it fails, further hashes bring the work to that of the highest cost in use, so that the time taken tells nothing
   * (OWASP Authentication Cheat Sheet). A hash without the mark matches no text of more than 72 bytes: bcrypt would compare
   * its beginning only.
   */
  verify(password: string, stored: string | null | undefined, first?: boolean): Promise<boolean>
  /** Throws `overloaded` where `verify` would: known before anything else was done for it. */
  assertRoom(): void
  /**
   * True when a hash that `verify` just matched should be replaced by one of the configured cost
   * and the present form.
   */
  isOutdated(password: string, stored: string): boolean
}

export interface PasswordRules {
  minLength: number
  cost: number
  bulkhead: Bulkhead
  /** Where hashes are made; in this thread where nothing else waits for it. */
  hashing?: Hashing
  /** The highest cost among the stored hashes. Asked once, before the first comparison. */
  highestCost?: () => Promise<number>
}

/** The one room where passwords are judged, hashed and compared. */
export function createPasswords(rules: PasswordRules): Passwords {
  const { minLength, cost, bulkhead, hashing = here, highestCost = async () => cost } = rules
  // Made here and not a constant: a made-up one is refused in no time, and its cost would not
  // follow the configuration.
  const decoy = bcrypt.hash(randomText(24), cost)

  /**
   * The cost whose work every refusal takes: the configured one, or a higher one that is stored.
   */
  let highest = cost
  let learned: Promise<void> | undefined
  const learnHighest = () => {
    // Not tried again where it failed: a scan that exceeds the database's time would hold up every
    // login. A hash of a
    // higher cost is then noticed when a login meets it.
    learned ??= highestCost().then(
      (stored) => {
        highest = Math.max(highest, stored)
      },
      () => {}
    )
    return learned
  }

  return {
    async check(password, field, owner) {
      const problem = formProblem(password, minLength) ?? (await guessProblem(password, owner))
      if (problem) throw invalidFields({ pointer: `/${field}`, ...problem })
    },
    async hash(password, first) {
      const normalised = password.normalize('NFC')
      const digested = needsDigest(normalised)
      const hashed = await bulkhead.run(
        () => hashing.hash(digested ? digest(normalised) : normalised, cost),
        first
      )
      return digested ? digestMark + hashed : hashed
    },
    async verify(password, stored, first) {
      await learnHighest()
      const marked = stored?.startsWith(digestMark) ?? false
      const text = password.normalize('NFC')
      const comparable =
        isText(password) &&
        [...text].length <= maxLength &&
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
    assertRoom() {
      if (bulkhead.isFull()) throw overloaded()
    },
    isOutdated(password, stored) {
      const [mark, version] = stored.split('$')
      return (
        version !== '2b' ||
        costOf(stored) < cost ||
        (mark === '' && needsDigest(password.normalize('NFC')))
      )
    }
  }
}

function formProblem(password: string, minLength: number) {
  // bcrypt ends its key at NUL, and lone surrogates all become one character: different passwords
  // would be equal.
  if (!isText(password)) {
    return {
      code: 'invalid-characters',
      message: 'Must not contain NUL or unpaired surrogates'
    }
  }
  const length = [...password.normalize('NFC')].length
  if (length < minLength) return { code: 'too-short', message: `At least ${minLength} characters` }
  if (length > maxLength) return { code: 'too-long', message: `At most ${maxLength} characters` }
}

async function guessProblem(password: string, owner: Owner) {
  const message = await whyGuessable(password, owner)
  return message === undefined ? undefined : { code: 'too-guessable', message }
}

const isText = (password: string) => password.isWellFormed() && !password.includes('\0')
const isHash = (stored: string | null | undefined): stored is string =>
  stored != null && passwordHashForm.test(stored)
/**
 * At 72 bytes already: a plain hash of exactly that many cannot be told from the truncated hash of
 * a longer password.
 */
const needsDigest = (normalised: string) => Buffer.byteLength(normalised) >= bcryptBytes
const digest = (normalised: string) =>
  hmac('sha384', 'portal password', normalised).toString('base64')
