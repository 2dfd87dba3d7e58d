import { password } from './app.ts'
import type { Caller as SignedIn } from './second-factors.ts'

type Caller = Pick<SignedIn, 'call'>

/** Asks for another e-mail address. */
export const change = ({ call }: Caller, email: string, currentPassword = password) =>
  call('PUT', '/api/user/email', { email, currentPassword })

/** Confirms an address with the token of a mail. */
export const confirm = ({ call }: Caller, token: string) =>
  call('POST', '/api/user/email/confirm', { token })

export const emailOf = async ({ call }: Caller) =>
  (await call('GET', '/api/user/email')).json() as object
