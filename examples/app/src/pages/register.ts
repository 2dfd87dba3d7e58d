import { ok, portal } from '../portal.ts'
import { onSubmit, show } from '../view.ts'
import { continueSignIn } from './sign-in.ts'

export function drawRegister() {
  show('register')
  onSubmit('form', async ({ name = '', email = '', password = '' }) => {
    await ok(portal.POST('/api/auth/register', { body: { name, email, password } }))
    return `We have sent a link to ${email}. Open it to confirm your address.`
  })
}

export function drawConfirm() {
  const token = new URLSearchParams(location.search).get('token') ?? ''
  // So that neither the history nor another site gets to know it.
  history.replaceState(null, '', location.pathname)
  show('confirm')
  onSubmit('form', async ({ password = '' }) => {
    await continueSignIn(await ok(portal.POST('/api/auth/confirm', { body: { token, password } })))
  })
}
