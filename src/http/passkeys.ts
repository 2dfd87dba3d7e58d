import type { PasskeyServices } from '../domain/sign-in/passkey-sign-in.ts'
import type { Services } from '../domain/sign-in/services.ts'

/** For routes that exist only where passkeys are on. */
export function requirePasskeys(services: Services): PasskeyServices {
  const { passkeys } = services
  if (!passkeys) throw new Error('a route of passkeys was loaded while they are off')
  return { ...services, passkeys }
}
