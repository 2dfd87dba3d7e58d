import * as bcrypt from '@node-rs/bcrypt'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import {
  foreignHashForm,
  isForeignHash,
  passwordHashForm,
  passwordLength,
  users
} from '../../../db/schema/users.ts'
import type { Bulkhead, Rank } from '../bulkhead.ts'
import { hmac, randomText } from '../crypto.ts'
import { invalidFields, overloaded } from '../errors.ts'
import type { FieldError } from '../errors.ts'
import { compare, costOf } from './comparison.js'
import { foreignMark, foreignWork } from './foreign-comparison.js'
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
    /** Throws `overloaded`, as `verify` does. */
    async hash(password: string, rank?: Rank) {
      const normalized = password.normalize('NFC')
      const digested = needsDigest(normalized)
      const hashed = await bulkhead.run(
        () => hashing.hash(digested ? digest(normalized) : normalized, cost),
        rank
      )
      return digested ? digestMark + hashed : hashed
    },
    /**
     * Always does one comparison, against a decoy when there is no usable hash or the text cannot
     * match it. After a failure further hashes add up to the work of all hashes in use, so that the
     * duration reveals nothing (OWASP Authentication Cheat Sheet). An unmarked hash matches no text
     * of more than 72 bytes, of which bcrypt would compare the beginning only.
     */
    async verify(password: string, stored: string | null | undefined, rank?: Rank) {
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
        rank
      )
      return comparable && matches
    },
    /** Whether work of no rank would be rejected now. */
    isBusy: bulkhead.isFull,
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

/**
 * The work of all stored hashes: the highest cost of bcrypt, or 0 without any, and the largest
 * amount of each kind of foreign hash. It reads the whole table (a million rows in 0.3 s), so call
 * it once in a process.
 */
export async function findStoredWork(db: Db): Promise<Work> {
  const hash = users.passwordHash
  // Foreign hashes have no "$", and an index of their own.
  const cost = sql`max(nullif(split_part(${hash}, '$', 3), '')::int)`.mapWith(Number)
  const [row] = await db.select({ cost }).from(users)
  const parameters = sql<string>`split_part(${hash}, ':', 2) || ':' || split_part(${hash}, ':', 3)`
  const rows = await db.selectDistinct({ parameters }).from(users).where(isForeignHash(hash))
  const foreign: Record<string, number> = {}
  for (const { parameters } of rows) {
    const met = foreignWork(`${foreignMark}${parameters}`)
    if (met) foreign[met.kind] = Math.max(foreign[met.kind] ?? 0, met.amount)
  }
  return { cost: row?.cost ?? 0, foreign }
}

/** The account that a password is for: its details are among the first guesses. */
export interface Owner {
  email: string
  name: string
}

/** Each sequence wraps around: 9 is followed by 0 or 1, z by a. */
const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  '123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp'
]
const bothWays = [...sequences, ...sequences.map((row) => [...row].reverse().join(''))]

let commonPasswords: Promise<Set<string>> | undefined

/**
 * Why a password is easy to guess, or undefined. Compares whole passwords only, because a long
 * password may contain any word (OWASP ASVS 5.0, 6.2.4, 6.2.5 and 6.2.11).
 */
export async function guessableReason(password: string, owner: Owner): Promise<string | undefined> {
  const text = password.normalize('NFC').toLowerCase()
  const [local = '', domain = ''] = splitEmail(owner.email.toLowerCase())
  const unit = repeatedUnit(text)
  if ([...unit].length === 1) {
    return 'Must not be one repeated character. Use several unrelated words'
  }
  for (const [what, word] of [
    ['your e-mail address', owner.email],
    ['the name in your e-mail address', local],
    ['the domain of your e-mail address', domain],
    ['your name', owner.name],
    ['the name of this service', 'portal']
  ] as const) {
    if (isSame(unit, word) || isSame(text, word)) {
      const repeated = unit === text ? '' : ', repeated'
      return `Must not be ${what}${repeated}. Use something unrelated to you`
    }
  }
  if ([...unit].length < 4 && unit !== text) {
    return 'Must not be a short text repeated. Use several unrelated words'
  }
  if (isRow(text) || isRow(unit)) {
    return 'Must not be a keyboard or alphabet sequence. Use several unrelated words'
  }
  commonPasswords ??= loadCommonPasswords()
  const common = await commonPasswords
  if (common.has(text) || common.has(unit)) {
    return 'Must not be a common password. Use several unrelated words'
  }
}

const isRow = (text: string) =>
  bothWays.some((row) => row.repeat(1 + Math.ceil(text.length / row.length)).includes(text))
const isSame = (text: string, word: string) =>
  word !== '' && squeeze(text) === squeeze(word.normalize('NFC').toLowerCase())
const squeeze = (text: string) => text.replace(/\s/g, '')

function splitEmail(email: string) {
  const at = email.lastIndexOf('@')
  return at < 0 ? [] : [email.slice(0, at), email.slice(at + 1)]
}

/** The shortest text that the whole text repeats; the text itself when it repeats nothing. */
function repeatedUnit(text: string): string {
  const again = (text + text).indexOf(text, 1)
  return text.slice(0, again)
}

/** About 49,000 passwords and two megabytes, so it is loaded when the first password is set. */
async function loadCommonPasswords() {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
