import type { PasskeyContext } from '../domain/sign-in/passkey-sign-in.ts'
import type { Context } from '../domain/sign-in/context.ts'

/** For routes that exist only where passkeys are on. */
export function requirePasskeys(context: Context): PasskeyContext {
  const { passkeys } = context
  if (!passkeys) throw new Error('a route of passkeys was loaded while they are off')
  return { ...context, passkeys }
}
