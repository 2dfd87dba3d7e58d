import { getPasskey, knowsPasskeys } from '../passkeys.ts'
import { ok, portal } from '../portal.ts'
import type { components } from '../api.d.ts'
import { askWhoIsSignedIn } from '../session.ts'
import { find, go, onSubmit, show } from '../view.ts'

type Schemas = components['schemas']

export function drawSignIn() {
  show('sign-in')
  onSubmit('#password-form', async ({ email = '', password = '' }) => {
    await continueSignIn(await ok(portal.POST('/api/auth/login', { body: { email, password } })))
  })
  find('#passkey-form').hidden = !knowsPasskeys
  onSubmit('#passkey-form', async () => {
    const options = await ok(portal.POST('/api/auth/passkey/options'))
    const credential = await getPasskey(options)
    await continueSignIn(await ok(portal.POST('/api/auth/passkey', { body: { credential } })))
  })
}

/** After the first step: the user is signed in (200), or has a second factor to prove (202). */
export async function continueSignIn(signedIn: Schemas['SignedIn'] | Schemas['SecondFactorDue']) {
  if ('next' in signedIn) return askForCode()
  await askWhoIsSignedIn()
  go('/')
}

function askForCode() {
  show('sign-in')
  find('#password-form').hidden = true
  find('#code-form').hidden = false
  find('#code-form input').focus()
  onSubmit('#code-form', async ({ code = '' }) => {
    // Codes of an authenticator app have six digits; recovery codes are longer.
    const body = /^\s*\d{6}\s*$/.test(code) ? { code: code.trim() } : { recoveryCode: code }
    await continueSignIn(await ok(portal.POST('/api/auth/login/verify', { body })))
  })
  onSubmit('#passkey-form', async () => {
    const credential = await getPasskey(await ok(portal.POST('/api/auth/passkey/options')))
    await continueSignIn(await ok(portal.POST('/api/auth/passkey', { body: { credential } })))
  })
}
