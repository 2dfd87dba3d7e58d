import { hmac, isEqual, randomText } from './crypto.ts'

interface Account { id: string, credentialVersion: number }

const form = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

export type Devices = ReturnType<typeof devicesOf>

/**
 * What a browser that once signed in presents, so that others cannot throttle its owner out (OWASP Authentication Cheat Sheet, device cookies).
 * It signs nobody in, and a password change voids it.
 * @param keys the first seals, all are known
 */
export function devicesOf (keys: readonly Uint8Array[]) {
  const seal = (key: Uint8Array, nonce: string, { id, credentialVersion }: Account) => hmac('sha256', key, JSON.stringify([id, credentialVersion, nonce]))
  return {
    /** @param nonce of a device that is known already */
    issue (account: Account, nonce = randomText(16)): string {
      const [key] = keys
      if (!key) throw new Error('no key to seal with')
      return `${nonce}.${seal(key, nonce, account).toString('base64url')}`
    },
    /** The nonce of a device that signed in to this account since its last password change. */
    recognise (value: string | undefined, account: Account | undefined): string | undefined {
      const [, nonce, mac] = form.exec(value ?? '') ?? []
      if (nonce === undefined || mac === undefined || !account) return undefined
      const given = Buffer.from(mac, 'base64url')
      return keys.some((key) => isEqual(given, seal(key, nonce, account))) ? nonce : undefined
    }
  }
}
