import { decrypt, deriveKey, encrypt, randomBuffer } from './crypto.ts'

// Values that must be read again are sealed; values that must only be recognized are hashed.

/** What a sealed value is for. A value that was sealed for one purpose opens for no other. */
export type SealPurpose = 'flow' | 'mail' | 'totp'

interface SealingKey {
  kid: string
  secret: Uint8Array
}

export type Sealing = ReturnType<typeof createSealing>

const version = 1
const sizes = { key: 32, nonce: 12, salt: 16, tag: 16 }

/**
 * AES-256-GCM under a key and nonce of their own for each value, derived from a secret and a random
 * salt by HKDF-SHA-256. The first key seals, all open. The form of a sealed value:
 * `01 ‖ length of kid ‖ kid ‖ salt ‖ tag ‖ text`.
 */
export function createSealing(keys: readonly SealingKey[]) {
  const [first] = keys
  if (!first) throw new Error('no key to seal with')

  /** @param context the id of the row: in any other row the value does not open */
  const seal = (purpose: SealPurpose, context: string, plain: Uint8Array): Buffer => {
    const salt = randomBuffer(sizes.salt)
    const { key, nonce } = derive(first.secret, salt, purpose)
    const { text, tag } = encrypt(key, nonce, context, plain)
    const kid = Buffer.from(first.kid)
    return Buffer.concat([Buffer.of(version, kid.length), kid, salt, tag, text])
  }

  /** Undefined for a value that was changed or moved, or whose key was dropped. */
  const open = (purpose: SealPurpose, context: string, sealed: Uint8Array): Buffer | undefined => {
    const parts = partsOf(sealed)
    const secret = keys.find(({ kid }) => kid === parts?.kid)?.secret
    if (!parts || !secret) return undefined
    const { key, nonce } = derive(secret, parts.salt, purpose)
    return decrypt(key, nonce, context, parts.tag, parts.text)
  }

  /** Which key sealed a value: the current one, an older one, or none that is known. */
  const judge = (purpose: SealPurpose, context: string, sealed: Uint8Array) => {
    if (open(purpose, context, sealed) === undefined) return 'unreadable'
    return partsOf(sealed)?.kid === first.kid ? 'current' : 'old'
  }

  return { seal, open, judge }
}

function derive(secret: Uint8Array, salt: Uint8Array, purpose: SealPurpose) {
  const bytes = deriveKey(secret, `seal:${purpose}`, { salt, length: sizes.key + sizes.nonce })
  return { key: bytes.subarray(0, sizes.key), nonce: bytes.subarray(sizes.key) }
}

/** Undefined when it is too short or of an unknown version. */
function partsOf(sealed: Uint8Array) {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const kidEnd = 2 + (bytes[1] ?? 0)
  const saltEnd = kidEnd + sizes.salt
  const tagEnd = saltEnd + sizes.tag
  if (bytes[0] !== version || bytes.length < tagEnd) return undefined
  return {
    kid: bytes.toString('latin1', 2, kidEnd),
    salt: bytes.subarray(kidEnd, saltEnd),
    tag: bytes.subarray(saltEnd, tagEnd),
    text: bytes.subarray(tagEnd)
  }
}
