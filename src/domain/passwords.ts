import * as bcrypt from '@node-rs/bcrypt'
import type { Bulkhead } from './bulkhead.ts'
import { hmac, randomText } from './crypto.ts'
import { invalidFields, overloaded } from './errors.ts'
import { whyGuessable } from './guessable.ts'
import type { Owner } from './guessable.ts'
import type { Hashing } from './hashing.ts'

/** Code points. The request schema's bound is wider: it only limits the work. */
const maxLength = 128
/** bcrypt reads so many bytes and no more. */
const bcryptBytes = 72
/** Marks a hash over a digest of the password. The stored value decides, never the input: a digest typed as a password matches nothing. */
const digestMark = 'h384:'

export interface Passwords {
  /** Refuses, naming `field`, what may not become the password of `owner`. */
  check (password: string, field: string, owner: Owner): Promise<void>
  /** Throws `overloaded`, as `verify` does. `first` goes before others that wait. */
  hash (password: string, first?: boolean): Promise<string>
  /**
   * Exactly one bcrypt comparison, whoever asks: against a decoy when there is no usable hash or the text cannot be a password,
   * so that the time taken tells nothing (OWASP Authentication Cheat Sheet).
   */
  verify (password: string, stored: string | null | undefined, first?: boolean): Promise<boolean>
  /** Throws `overloaded` where `verify` would: known before anything else was done for it. */
  assertRoom (): void
  /** True when a hash that just matched should be replaced by one of today's cost and form. */
  isOutdated (password: string, stored: string): boolean
}

export interface PasswordRules {
  minLength: number
  cost: number
  bulkhead: Bulkhead
  /** Where hashes are made; Node's thread pool where nothing else waits for it. */
  hashing?: Hashing
}

/** The one room where passwords are judged, hashed and compared. */
export function createPasswords ({ minLength, cost, bulkhead, hashing = bcrypt }: PasswordRules): Passwords {
  // Made here and not a constant: a made-up one is refused in no time, and its cost would not follow the configuration.
  const decoy = bcrypt.hash(randomText(24), cost)
  return {
    async check (password, field, owner) {
      const problem = formProblem(password, minLength) ?? await guessProblem(password, owner)
      if (problem) throw invalidFields({ pointer: `/${field}`, ...problem })
    },
    async hash (password, first) {
      const normalised = password.normalize('NFC')
      const long = isLong(normalised)
      const hashed = await bulkhead.run(() => hashing.hash(long ? digest(normalised) : normalised, cost), first)
      return long ? digestMark + hashed : hashed
    },
    async verify (password, stored, first) {
      const marked = stored?.startsWith(digestMark) ?? false
      const comparable = isText(password) && [...password.normalize('NFC')].length <= maxLength && isHash(stored)
      const input = comparable ? password.normalize('NFC') : 'no such password'
      const against = comparable ? stored.slice(marked ? digestMark.length : 0) : await decoy
      const matches = await bulkhead.run(() => hashing.verify(marked ? digest(input) : input, against), first)
      return comparable && matches
    },
    assertRoom () {
      if (bulkhead.isFull()) throw overloaded()
    },
    isOutdated (password, stored) {
      const [, version, storedCost] = stored.replace(digestMark, '').split('$')
      return version !== '2b' || Number(storedCost) < cost || (isLong(password.normalize('NFC')) && !stored.startsWith(digestMark))
    }
  }
}

function formProblem (password: string, minLength: number) {
  // bcrypt ends its key at NUL, and lone surrogates all become one character: different passwords would be equal.
  if (!isText(password)) return { code: 'invalid-characters', message: 'Must not contain the NUL character or halves of a character' }
  const length = [...password.normalize('NFC')].length
  if (length < minLength) return { code: 'too-short', message: `At least ${minLength} characters` }
  if (length > maxLength) return { code: 'too-long', message: `At most ${maxLength} characters` }
}

async function guessProblem (password: string, owner: Owner) {
  const message = await whyGuessable(password, owner)
  return message === undefined ? undefined : { code: 'too-guessable', message }
}

const isText = (password: string) => password.isWellFormed() && !password.includes('\0')
const isHash = (stored: string | null | undefined): stored is string => stored != null && /^(h384:)?\$2[aby]\$\d\d\$.{53}$/.test(stored)
const isLong = (normalised: string) => Buffer.byteLength(normalised) > bcryptBytes
const digest = (normalised: string) => hmac('sha384', 'portal password', normalised).toString('base64')
