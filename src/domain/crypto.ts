import { createHmac, hash, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

// The one room that knows node:crypto: what the portal relies on is this list and bcrypt (see docs/security.md).

/** For a request's name in logs and answers: nobody's secret. */
export const randomId = (): string => randomUUID()

/** From the system's generator, as base64url; 32 bytes are 256 bits. */
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

/** Takes the same time wherever two of equal length differ. */
export const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
