import { createHmac, hash, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

// The only module that uses node:crypto. The portal relies on these primitives and bcrypt (see
// docs/security.md).

/** For request ids in logs and responses. Not secret. */
export const randomId = (): string => randomUUID()

/** Random bytes of the system as base64url; 32 bytes are 256 bits. */
export const randomText = (bytes = 32): string => randomBytes(bytes).toString('base64url')

export const random64 = (): bigint => randomBytes(8).readBigInt64BE()

export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer')

export const hmac = (
  algorithm: 'sha256' | 'sha384',
  key: string | Uint8Array,
  data: string
): Buffer => createHmac(algorithm, key).update(data).digest()

/** A key for one purpose (RFC 5869). */
export const deriveKey = (secret: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** Compares in constant time for values of equal length. */
export const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
