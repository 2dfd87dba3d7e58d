import { hashSecret } from '../../src/domain/sessions/sessions.ts'
import { signIn as begin } from '../../src/domain/sign-in/password-sign-in.ts'

/** Signs in to an account that needs no second factor. */
export async function signIn(...args: Parameters<typeof begin>) {
  const result = await begin(...args)
  if (!result.session) throw new Error('a second factor is needed')
  return result
}

/** The hash of a session's secret, as a request has it that came with the secret. */
export const tokenHashOf = ({ secret }: { secret: string }) =>
  Buffer.from(hashSecret(secret)).toString('hex')
