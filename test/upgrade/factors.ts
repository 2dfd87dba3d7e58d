import { Secret, TOTP } from 'otpauth'
import type { Call } from '../resilience/people.ts'
import { password } from '../support/app.ts'
import { createPasskey } from '../support/authenticator.ts'
import type { CreationOptions, SoftPasskey } from '../support/authenticator.ts'

/** Signs in with the password, and with a second factor at another instance. */
export async function signIn(
  call: Call,
  email: string,
  { complete, factor }: { complete?: Call; factor?: object } = {}
) {
  const login = call('POST', '/api/auth/login', { body: { email, password } })
  const { cookie } = await asked(login, factor ? 202 : 200)
  if (!complete || !factor) return { email, cookie }
  const verified = complete('POST', '/api/auth/login/verify', { cookie, body: factor })
  return { email, cookie: (await asked(verified)).cookie }
}

/** Sets up an authenticator app. */
export async function withApp(call: Call, email: string) {
  const { cookie } = await signIn(call, email)
  const { secret } = (await asked<{ secret: string }>(call('POST', '/api/user/totp', { cookie })))
    .body
  const confirmed = await asked<{ recoveryCodes: string[] }>(
    call('POST', '/api/user/totp/confirm', { cookie, body: { code: codeOf(secret, Date.now()) } })
  )
  return { secret, codes: confirmed.body.recoveryCodes }
}

export async function withPasskey(call: Call, email: string): Promise<SoftPasskey> {
  const { cookie } = await signIn(call, email)
  const options = call('POST', '/api/user/passkeys/options', { cookie })
  const { passkey, credential } = createPasskey((await asked<CreationOptions>(options)).body)
  await asked(call('POST', '/api/user/passkeys', { cookie, body: { credential } }), 201)
  return passkey
}

export const codeOf = (secret: string, timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })

/** The cookie and the body of a response with this status. */
export async function asked<Body>(response: ReturnType<Call>, expected = 200) {
  const { status, cookie = '', body } = await response
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${body}`)
  return { cookie, body: JSON.parse(body || '{}') as Body }
}
