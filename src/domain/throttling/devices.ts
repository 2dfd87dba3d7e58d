import type { UserRow } from '../../../db/schema/users.ts'
import { createSigner, randomText } from '../crypto.ts'

type Account = Pick<UserRow, 'id' | 'credentialVersion'>

/** The content of a genuine cookie: a browser that signed in to this account at this version. */
export interface Device extends Account {
  nonce: string
}

const form = /^([^.]+)\.(\d{1,10})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

export type Devices = ReturnType<typeof createDeviceTokens>

/**
 * The cookie of a browser that has signed in, so that others cannot use up its owner's attempts
 * (OWASP Authentication Cheat Sheet, device cookies). It is not a credential, and a password change
 * or a newly required second factor invalidates it. It contains everything that its MAC covers, so
 * a forged one is rejected without reading an account.
 * @param keys the first signs, all verify
 */
export function createDeviceTokens(keys: readonly Uint8Array[]) {
  const { sign, verifies } = createSigner(keys)
  const textOf = ({ id, credentialVersion, nonce }: Device) =>
    JSON.stringify([id, credentialVersion, nonce])
  /** Undefined when the cookie is not genuine. `isOf` checks whether it is still valid. */
  const read = (value: string | undefined): Device | undefined => {
    const [, id, version, nonce, mac] = form.exec(value ?? '') ?? []
    if (id === undefined || nonce === undefined || mac === undefined) return undefined
    const device = { id, credentialVersion: Number(version), nonce }
    return verifies(Buffer.from(mac, 'base64url'), textOf(device)) ? device : undefined
  }
  return {
    read,
    /** The nonce of the cookie, if it is valid for this account. */
    nonceFor(account: Account, value: string | undefined): string | undefined {
      const device = read(value)
      return device && isOf(device, account) ? device.nonce : undefined
    },
    /** @param nonce of a device that is already known */
    issue({ id, credentialVersion }: Account, nonce = randomText(16)): string {
      const mac = sign(textOf({ id, credentialVersion, nonce })).toString('base64url')
      return `${id}.${credentialVersion}.${nonce}.${mac}`
    }
  }
}

/** True for a device of this account that signed in since its last password change. */
export const isOf = (device: Device, { id, credentialVersion }: Account) =>
  device.id === id && device.credentialVersion === credentialVersion
