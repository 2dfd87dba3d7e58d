import { foreignHashForm, passwordHashForm } from '../../../db/schema/users.ts'
import { foreignMark } from './foreign-comparison.js'

/** Why a hash is not accepted: its form is unknown, or it is too weak or too expensive. */
export class HashRefusal extends Error {
  readonly code: 'unknown-hash' | 'unsafe-hash'

  constructor({ code, message }: Pick<HashRefusal, 'code' | 'message'>) {
    super(message)
    this.code = code
  }
}

const unknown = () =>
  new HashRefusal({
    code: 'unknown-hash',
    message: 'Is not in a form that the portal knows. See docs/do/moving.md'
  })
export const unsafe = (message: string) => new HashRefusal({ code: 'unsafe-hash', message })

interface Parts {
  scheme: string
  /** Texts, to refuse numbers in another notation. The last one is that of foreignWork. */
  parameters: (string | undefined)[]
  salt: Uint8Array
  hash: Uint8Array
}

const kib64 = 64 * 1024
const isBetween = (value: number, least: number, most: number) => value >= least && value <= most

/** The parameters of a hash decide what each refused login costs, so they are bounded. */
const bounds: Record<string, (numbers: readonly number[]) => boolean> = {
  scrypt: ([N = 0, r = 0, p = 0]) =>
    Number.isInteger(Math.log2(N)) &&
    isBetween(N, 2 ** 12, 2 ** 17) &&
    128 * N * r * p <= 64 * 2 ** 20,
  // Few passes over much memory, or more over little, as Logto does.
  argon2: ([memory = 0, lanes = 0, passes = 0]) =>
    isBetween(memory, 1024, kib64) &&
    lanes <= 4 &&
    memory >= 8 * lanes &&
    memory * passes <= 2 ** 20,
  pbkdf2: ([iterations = 0]) => isBetween(iterations, 10_000, 2_000_000)
}
/** The bounds of each scheme, and the number of its parameters. */
const families = new Map<string, [bounds: string, count: number]>([
  ['scrypt', ['scrypt', 3]],
  ['scrypt-nfkc', ['scrypt', 3]],
  ['firebase', ['scrypt', 3]],
  ['argon2i', ['argon2', 3]],
  ['argon2id', ['argon2', 3]],
  ['pbkdf2-sha256', ['pbkdf2', 1]],
  ['pbkdf2-sha512', ['pbkdf2', 1]]
])
/** Bytes of a digest. More are not compared: each block would take the whole work again. */
const digests: Record<string, number> = { 'pbkdf2-sha256': 32, 'pbkdf2-sha512': 64 }

/** The form in which a hash of another system is stored. Throws HashRefusal. */
export function foreignHash({ scheme, parameters, salt, hash }: Parts): string {
  const [kind, count] = families.get(scheme) ?? []
  if (kind === undefined || parameters.length !== count) throw unknown()
  const texts = parameters.map((text) => text ?? '')
  const isValid = texts.every((text) => /^[1-9][0-9]{0,7}$/.test(text))
  if (!isValid || !bounds[kind]?.(texts.map(Number))) {
    throw unsafe('Has parameters outside of the accepted bounds')
  }
  if (!isBetween(salt.length, 8, 64)) throw unsafe('Must have a salt of 8 to 64 bytes')
  if (!isBetween(hash.length, 16, 64)) throw unsafe('Must have a hash of 16 to 64 bytes')
  const compared = hash.subarray(0, digests[scheme] ?? hash.length)
  return `${foreignMark}${[scheme, texts.join('.'), text64(salt), text64(compared)].join(':')}`
}

const text64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')

/** Base64, with or without padding; Passlib writes `.` for `+`. Throws HashRefusal. */
function bytesOf(text = ''): Buffer {
  const plain = text.replaceAll('.', '+').replace(/={1,2}$/, '')
  if (!/^[A-Za-z0-9+/]*$/.test(plain)) throw unknown()
  return Buffer.from(plain, 'base64')
}

/** Longer than any hash in a form below. */
const longest = 512

/**
 * The stored form of a hash that an import found. Throws HashRefusal.
 * @param text bcrypt, a PHC string, or as Django, ASP.NET Identity 3, better-auth or a portal
 *   wrote it
 */
export function storedForm(text: string): string {
  if (passwordHashForm.test(text)) return text
  if (text.length > longest) throw unknown()
  if (costlyBcrypt.test(text)) throw unsafe('Has parameters outside of the accepted bounds')
  if (weak.some((form) => form.test(text))) {
    throw unsafe('Is of a kind that is too fast to compute to be safe')
  }
  const parts =
    ofPortal(text) ?? ofPhc(text) ?? ofDjango(text) ?? ofBetterAuth(text) ?? ofAspNet(text)
  if (!parts) throw unknown()
  return foreignHash(parts)
}

/** bcrypt of any cost: those in the bounds are `passwordHashForm`. */
const costlyBcrypt = /^[$]2[aby][$]\d\d[$][./A-Za-z0-9]{53}$/

/** MD5, SHA-1 and plain SHA-2 in hexadecimal or as Django and LDAP write them; old PBKDF2. */
const weak = [
  /^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i,
  /^(md5|sha1|sha256|pbkdf2_sha1|unsalted_\w+|[$]1|[$]pbkdf2)[$]/,
  /^[{]S?(MD5|SHA\d*)[}]/i
]

function ofPortal(text: string): Parts | undefined {
  if (!foreignHashForm.test(text)) return undefined
  const [, scheme = '', parameters = '', salt, hash] = text.split(':')
  return { scheme, parameters: parameters.split('.'), salt: bytesOf(salt), hash: bytesOf(hash) }
}

/** The PHC string format, as Argon2 and Passlib write it. */
function ofPhc(text: string): Parts | undefined {
  const [scheme, ...rest] = text
    .replace(/^argon2[$]/, '$')
    .split('$')
    .slice(1)
  if (scheme === undefined || !families.has(scheme)) return undefined
  if (scheme.startsWith('argon2') && rest.shift() !== 'v=19') return undefined
  if (rest.length !== 3) return undefined
  const [costs = '', salt, hash] = rest
  const named = new Map(
    costs.split(',').map((each) => {
      const [name = '', value] = each.split('=')
      return [name, value]
    })
  )
  const names: Record<string, string[]> = {
    argon2i: ['m', 'p', 't'],
    argon2id: ['m', 'p', 't'],
    'pbkdf2-sha256': ['i'],
    'pbkdf2-sha512': ['i']
  }
  const parameters =
    scheme === 'scrypt'
      ? [powerOfTwo(named.get('ln')), named.get('r'), named.get('p')]
      : costs.includes('=')
        ? names[scheme]?.map((name) => named.get(name))
        : [costs] // Passlib writes the iterations without a name
  return parameters && { scheme, parameters, salt: bytesOf(salt), hash: bytesOf(hash) }
}

const powerOfTwo = (exponent = '') =>
  /^[0-9]{1,2}$/.test(exponent) ? String(2 ** Number(exponent)) : undefined

function ofDjango(text: string): Parts | undefined {
  const [algorithm, iterations, salt = '', hash, ...more] = text.split('$')
  if (algorithm !== 'pbkdf2_sha256' || more.length > 0) return undefined
  const parameters = [iterations]
  return { scheme: 'pbkdf2-sha256', parameters, salt: Buffer.from(salt), hash: bytesOf(hash) }
}

/** The salt is the hexadecimal text itself. */
function ofBetterAuth(text: string): Parts | undefined {
  const [, salt = '', key = ''] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(text) ?? []
  if (key === '') return undefined
  const parameters = ['16384', '16', '1']
  return {
    scheme: 'scrypt-nfkc',
    parameters,
    salt: Buffer.from(salt),
    hash: Buffer.from(key, 'hex')
  }
}

/** Version, function, iterations and length of the salt, in the order of the network. */
function ofAspNet(text: string): Parts | undefined {
  if (!/^A[A-Za-z0-9+/]{40,160}={0,2}$/.test(text)) return undefined
  const bytes = bytesOf(text)
  // Version 2, and version 3 with SHA-1.
  if (bytes[0] === 0 || bytes.readUInt32BE(1) === 0) throw unsafe('Uses PBKDF2 with SHA-1')
  const name = ['', 'sha256', 'sha512'][bytes.readUInt32BE(1)]
  if (bytes[0] !== 1 || name === undefined) return undefined
  const end = 13 + bytes.readUInt32BE(9)
  const [salt, hash] = [bytes.subarray(13, end), bytes.subarray(end)]
  return { scheme: `pbkdf2-${name}`, parameters: [String(bytes.readUInt32BE(5))], salt, hash }
}

/** The parameters of a project, as the console of Firebase shows them. */
export interface FirebaseParameters {
  signerKey: string
  saltSeparator: string
  rounds: number
  memoryCost: number
}

/**
 * The stored form of a hash of Firebase. Throws HashRefusal.
 * @param user as exported: in base64, for URLs or not
 */
export function firebaseHash(
  user: { passwordHash: string; salt: string },
  { signerKey, saltSeparator, rounds, memoryCost }: FirebaseParameters
): string {
  const decode = (text: string) => bytesOf(text.replaceAll('-', '+').replaceAll('_', '/'))
  const [encrypted, signer] = [decode(user.passwordHash), decode(signerKey)]
  if (encrypted.length !== signer.length) throw unknown()
  return foreignHash({
    scheme: 'firebase',
    parameters: [2 ** memoryCost, rounds, 1].map(String),
    salt: Buffer.concat([decode(user.salt), decode(saltSeparator)]),
    hash: encrypted.map((byte, i) => byte ^ (signer[i] ?? 0))
  })
}
