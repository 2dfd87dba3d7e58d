import * as bcrypt from '@node-rs/bcrypt'
import type { Bulkhead } from './bulkhead.ts'
import { hmac, randomText } from './crypto.ts'
import { invalidFields, overloaded } from './errors.ts'
import { whyGuessable } from './guessable.ts'
import type { Owner } from './guessable.ts'
import type { Hashing } from './hashing.ts'

/** Code points. The request schema's bound is wider: it only limits the work. */
const maxLength = 128
/** bcrypt reads this many bytes and ignores the rest. */
const bcryptBytes = 72
/** Marks a hash over a digest of the password. The stored value decides, never the input: a digest typed as a password matches nothing. */
const digestMark = 'h384:'

export interface Passwords {
  /** Refuses, naming `field`, what may not become the password of `owner`. */
  check (password: string, field: string, owner: Owner): Promise<void>
  /** Throws `overloaded`, as `verify` does. `first` goes before others that wait. */
  hash (password: string, first?: boolean): Promise<string>
  /**
   * Exactly one bcrypt comparison, whoever asks: against a decoy when there is no usable hash or the text cannot be its password,
   * so that the time taken tells nothing (OWASP Authentication Cheat Sheet). A hash without the mark matches no text of more
   * than 72 bytes: bcrypt would compare its beginning only.
   */
  verify (password: string, stored: string | null | undefined, first?: boolean): Promise<boolean>
  /** Throws `overloaded` where `verify` would: known before anything else was done for it. */
  assertRoom (): void
  /** True when a hash that `verify` just matched should be replaced by one of the configured cost and the present form. */
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
      const digested = needsDigest(normalised)
      const hashed = await bulkhead.run(() => hashing.hash(digested ? digest(normalised) : normalised, cost), first)
      return digested ? digestMark + hashed : hashed
    },
    async verify (password, stored, first) {
      const marked = stored?.startsWith(digestMark) ?? false
      const normalised = password.normalize('NFC')
      const comparable = isText(password) && [...normalised].length <= maxLength && isHash(stored) && (marked || byteLength(normalised) <= bcryptBytes)
      const input = comparable ? normalised : 'no such password'
      const against = comparable ? stored.slice(marked ? digestMark.length : 0) : await decoy
      const matches = await bulkhead.run(() => hashing.verify(marked ? digest(input) : input, against), first)
      return comparable && matches
    },
    assertRoom () {
      if (bulkhead.isFull()) throw overloaded()
    },
    isOutdated (password, stored) {
      const [, version, storedCost] = stored.replace(digestMark, '').split('$')
      return version !== '2b' || Number(storedCost) < cost || (needsDigest(password.normalize('NFC')) && !stored.startsWith(digestMark))
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
const byteLength = (text: string) => Buffer.byteLength(text)
/** At 72 bytes already: a plain hash of exactly that many cannot be told from the truncated hash of a longer password. */
const needsDigest = (normalised: string) => byteLength(normalised) >= bcryptBytes
const digest = (normalised: string) => hmac('sha384', 'portal password', normalised).toString('base64')
