import { portal } from '../portal.ts'
import { find, go, onSubmit, show } from '../view.ts'

export function drawSignIn() {
  show('sign-in')
  onSubmit('#password-form', async ({ email = '', password = '' }) => {
    await portal.signIn({ email, password })
    continueSignIn()
  })
  find('#passkey-form').hidden = !portal.passkeys.isSupported
  onSubmit('#passkey-form', async () => {
    await portal.passkeys.signIn()
    continueSignIn()
  })
}

/** After the first step: the user is signed in, or has a second factor to prove. */
export function continueSignIn() {
  if (portal.session.value.is === 'second-factor') askForCode()
  else go('/')
}

function askForCode() {
  drawSignIn() // a passkey is a second factor as well
  find('#password-form').hidden = true
  find('#code-form').hidden = false
  find('#code-form input').focus()
  onSubmit('#code-form', async ({ code = '' }) => {
    // Codes of an authenticator app have six digits; recovery codes are longer.
    const isOfApp = /^\s*\d{3} ?\d{3}\s*$/.test(code)
    await portal.verify(isOfApp ? { code: code.trim() } : { recoveryCode: code })
    continueSignIn()
  })
}
