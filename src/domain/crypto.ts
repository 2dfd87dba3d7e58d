import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  randomInt,
  randomUUID,
  timingSafeEqual
} from 'node:crypto'

// The only module that uses node:crypto. The portal relies on these primitives and bcrypt (see
// docs/security.md).

/** For request ids in logs and responses. Not secret. */
export const randomId = (): string => randomUUID()

/** Random bytes of the system as base64url; 32 bytes are 256 bits. */
export const randomText = (bytes = 32): string => randomBytes(bytes).toString('base64url')

export const randomBuffer = (bytes: number): Buffer => randomBytes(bytes)

/** From 0 to below 1. */
export const randomFraction = (): number => randomInt(2 ** 32) / 2 ** 32

export const random64 = (): bigint => randomBytes(8).readBigInt64BE()

export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer')

export const hmac = (
  algorithm: 'sha256' | 'sha384',
  key: string | Uint8Array,
  data: string
): Buffer => createHmac(algorithm, key).update(data).digest()

/** A key for one purpose, by HKDF-SHA-256 (RFC 5869). */
export const deriveKey = (
  secret: Uint8Array,
  purpose: string,
  { salt = new Uint8Array(), length = 32 }: { salt?: Uint8Array; length?: number } = {}
): Buffer => Buffer.from(hkdfSync('sha256', secret, salt, purpose, length))

const aead = 'aes-256-gcm'
const tagLength = 16

/**
 * AES-256-GCM (NIST SP 800-38D).
 * @param nonce 12 bytes, never twice with the same key
 * @param context authenticated with the text, and needed to decrypt it
 */
export function encrypt(key: Uint8Array, nonce: Uint8Array, context: string, plain: Uint8Array) {
  const cipher = createCipheriv(aead, key, nonce, { authTagLength: tagLength })
  cipher.setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return { text, tag: cipher.getAuthTag() }
}

/** Undefined when anything differs: key, nonce, context, tag or text. */
export function decrypt(
  key: Uint8Array,
  nonce: Uint8Array,
  context: string,
  tag: Uint8Array,
  text: Uint8Array
): Buffer | undefined {
  const decipher = createDecipheriv(aead, key, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(tag)
  const plain = decipher.update(text)
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return undefined
  }
}

/** Compares in constant time for values of equal length. */
export const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
