import { crc32 } from 'node:zlib'
import { randomText, sha256 } from '../crypto.ts'

/**
 * The text of an API key: a prefix by which scanners of repositories find it, 256 random bits in
 * base64url, and the CRC-32 of all of that in base62. Also in docs/do/machines.md.
 */
export const keyForm = /^portal_[A-Za-z0-9_-]{43}_[0-9A-Za-z]{6}$/
export const keyPrefix = 'portal_'
const checksumLength = 6

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function checksumOf(text: string) {
  let rest = crc32(text)
  let written = ''
  for (let i = 0; i < checksumLength; i++) {
    written = digits.charAt(rest % digits.length) + written
    rest = Math.floor(rest / digits.length)
  }
  return written
}

/** A new key: its text, which is shown once, and what is stored of it. */
export function newKey() {
  const text = `${keyPrefix}${randomText(32)}`
  const secret = `${text}_${checksumOf(text)}`
  return { secret, hash: sha256(secret), lastFour: secret.slice(-4) }
}

/** The hash of a key in hexadecimal; undefined for a text of another form or a wrong checksum. */
export function hashOfKey(secret: string): string | undefined {
  if (!keyForm.test(secret)) return undefined
  const end = -checksumLength - 1
  if (checksumOf(secret.slice(0, end)) !== secret.slice(end + 1)) return undefined
  return sha256(secret).toString('hex')
}
