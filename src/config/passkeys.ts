import { isIP } from 'node:net'

interface Settings {
  PASSKEYS: 'on' | 'off'
  PASSKEY_RP_ID?: string
  PUBLIC_ORIGIN: string
}

/**
 * The host name that passkeys are created for (WebAuthn, RP ID). Undefined when there are none:
 * they are off, or the portal is reached by an IP address, for which browsers create none.
 */
export function rpIdOf({ PASSKEYS, PASSKEY_RP_ID, PUBLIC_ORIGIN }: Settings): string | undefined {
  const rpId = PASSKEY_RP_ID ?? new URL(PUBLIC_ORIGIN).hostname
  return PASSKEYS === 'off' || isAddress(rpId) ? undefined : rpId
}

/**
 * Whether pages of these origins can use passkeys of this RP ID: it is their host, or a parent
 * domain of it.
 */
export const covers = (rpId: string, origins: readonly string[]) =>
  origins
    .map((origin) => new URL(origin).hostname)
    .every((host) => host === rpId || (rpId.includes('.') && host.endsWith(`.${rpId}`)))

export function rpIdProblem(rpId: string, origins: readonly string[]): string | undefined {
  if (isAddress(rpId)) {
    return (
      'must be a host name, because browsers create no passkeys for an IP address: set a host ' +
      'name in PUBLIC_ORIGIN, such as http://localhost:3000, or set PASSKEYS=off'
    )
  }
  if (!URL.canParse(`http://${rpId}`) || new URL(`http://${rpId}`).hostname !== rpId) {
    return 'must be a host name like example.com, without a scheme, port or path'
  }
  if (!covers(rpId, origins)) {
    return 'must be the host of PUBLIC_ORIGIN and of all CORS_ORIGINS, or a parent domain of them'
  }
}

const isAddress = (host: string) => isIP(host.replace(/^\[|\]$/g, '')) !== 0
