import { ok } from 'portal-client'
import { portal } from '../portal.ts'
import { onSubmit, show } from '../view.ts'
import { continueSignIn } from './sign-in.ts'

export function drawRegister() {
  show('register')
  onSubmit('form', async ({ name = '', email = '', password = '' }) => {
    await portal.register({ name, email, password })
    return `We have sent a link to ${email}. Open it to confirm your address.`
  })
}

export function drawConfirm() {
  const token = new URLSearchParams(location.search).get('token') ?? ''
  // So that neither the history nor another site gets to know it.
  history.replaceState(null, '', location.pathname)
  show('confirm')
  onSubmit('form', async ({ password = '' }) => {
    await ok(portal.api.POST('/api/auth/confirm', { body: { token, password } }))
    continueSignIn()
  })
}
