import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  hkdfSync,
  randomBytes,
  randomInt,
  randomUUID,
  timingSafeEqual
} from 'node:crypto'
import { v7 as uuid } from 'uuid'

// The only module that uses node:crypto. The portal relies on these primitives and bcrypt (see
// docs/lookup/data.md).

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

/** HMACs with SHA-256. Throws without a key. @param keys the first signs, all verify */
export const createSigner = (keys: readonly Uint8Array[]) => ({
  sign(text: string): Buffer {
    const [key] = keys
    if (!key) throw new Error('no key to sign with')
    return hmac('sha256', key, text)
  },
  verifies: (mac: Uint8Array, text: string): boolean =>
    keys.some((key) => isEqual(mac, hmac('sha256', key, text)))
})

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

/** Whether it is a private key in PKCS #8 with which ES256 signs, in PEM. */
export function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyDetails } = createPrivateKey({ key: pem, format: 'pem', type: 'pkcs8' })
    return asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** The order of the group of P-256 (FIPS 186-5). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * A key pair for ES256 from 48 bytes: sixteen more than the key has keep the bias of the remainder
 * below 2^-128 (FIPS 186-5, A.2.1).
 */
export function signingPair(bytes: Uint8Array) {
  const scalar = (BigInt(`0x${Buffer.from(bytes).toString('hex')}`) % (order - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey() // 04 ‖ x ‖ y
  const publicJwk = {
    kty: 'EC' as const,
    crv: 'P-256' as const,
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url')
  }
  const jwk = { ...publicJwk, d: d.toString('base64url') }
  return {
    publicJwk,
    private: createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }),
    public: createPublicKey({ key: publicJwk, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem'
    })
  }
}

/** Begins at random in the lower half, so that 2^31 ids come before an overflow. */
let sequence = Math.floor(randomFraction() * 2 ** 31)

/**
 * The id of a row that was created at this time. Ids of this process grow with each call, also
 * within a millisecond, so that rows of the same time keep their order (RFC 9562, section 6.2). The
 * library counts only where it takes the time itself.
 */
export function idAt(at: Date): string {
  sequence = (sequence + 1) >>> 0
  return uuid({ msecs: Math.max(0, at.getTime()), seq: sequence }) // an id has no times before 1970
}
