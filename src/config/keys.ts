import { deriveKey, signingPair } from '../domain/crypto.ts'

export interface Key {
  kid: string
  secret: Buffer
}

const entryForm = /^([a-z0-9-]{1,16}):([A-Za-z0-9_-]+)$/
const placeholder = /change-?me|example|placeholder|your-?secret|replace/i
const entries = (text: string) => text.split(',').map((entry) => entry.trim())

/** Describes a mistake of SECRET_KEYS, without the value. Undefined for a valid one. */
export function keyListProblem(text: string | undefined): string | undefined {
  if (text === undefined) return
  const parsed = entries(text).map((entry) => entryForm.exec(entry))
  if (placeholder.test(text)) return 'contains a placeholder: generate a key'
  if (parsed.length > 3 || parsed.some((match) => !match)) {
    return (
      'must be one to three kid:base64url, separated by commas (kid: 1 to 16 lowercase ' +
      'letters, digits and hyphens)'
    )
  }
  const keys = parseKeyList(text)
  if (new Set(keys.map((key) => key.kid)).size < keys.length) return 'contains the same kid twice'
  if (keys.some((key) => key.secret.length < 32)) return 'contains a key of less than 32 bytes'
  if (keys.some((key) => new Set(key.secret).size < 16)) return 'contains a key that is not random'
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

/** Derives a key for one purpose (RFC 5869), so that no two purposes share a key. */
export const subKey = (
  key: Key,
  purpose: 'jwt' | 'cursor' | 'device' | 'throttle' | 'challenge' | 'proof'
) => deriveKey(key.secret, purpose)

/**
 * The pair that signs assertions, from the same secret: there is nothing more to store or rotate.
 */
export const deriveSigningPair = (key: Key) =>
  signingPair(deriveKey(key.secret, 'assertion', { length: 48 }))

export type SigningPair = ReturnType<typeof deriveSigningPair>
