import { deriveKey } from '../domain/crypto.ts'

export interface Key {
  kid: string
  secret: Buffer
}

const entryForm = /^([a-z0-9-]{1,16}):([A-Za-z0-9_-]+)$/
const placeholder = /change-?me|example|placeholder|your-?secret|replace/i
const entries = (text: string) => text.split(',').map((entry) => entry.trim())

/** What is wrong with a SECRET_KEYS value, or undefined. Never repeats the value. */
export function keyListProblem(text: string | undefined): string | undefined {
  if (text === undefined) return
  const parsed = entries(text).map((entry) => entryForm.exec(entry))
  if (placeholder.test(text)) return 'holds a placeholder: make a key of your own'
  if (parsed.length > 3 || parsed.some((match) => !match)) {
    return 'must be one to three of kid:base64url, separated by commas (kid: a to z, 0 to 9, dash, at most 16)'
  }
  const keys = parseKeyList(text)
  if (new Set(keys.map((key) => key.kid)).size < keys.length) return 'names one kid twice'
  if (keys.some((key) => key.secret.length < 32)) return 'holds a key of less than 32 bytes'
  if (keys.some((key) => new Set(key.secret).size < 16)) return 'holds a key that is not random'
}

export const parseKeyList = (text: string): Key[] =>
  entries(text).map((entry) => {
    const [kid = '', secret = ''] = entry.split(':')
    return { kid, secret: Buffer.from(secret, 'base64url') }
  })

export function signingKey([first]: readonly Key[]): Key {
  if (!first) throw new Error('no key to sign with')
  return first
}

/** One key for one purpose (RFC 5869), so that no two uses ever share one. */
export const subKey = (key: Key, purpose: 'jwt' | 'cursor' | 'device' | 'throttle') =>
  deriveKey(key.secret, purpose)
