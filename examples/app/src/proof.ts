import type { Portal, ProofRequest } from 'portal-client'
import { messageOf } from 'portal-client/messages'

/** Asks who the user is, with one of these methods. Resolves with false if the user cancels. */
export async function proveAgain(proof: Portal['proof'], methods: ProofRequest['methods']) {
  const dialog = document.querySelector<HTMLDialogElement>('#proof')!
  const form = dialog.querySelector('form')!
  const output = form.querySelector('output')!
  form.reset()
  output.textContent = methods.length === 0 ? 'You have nothing to prove it with.' : ''
  for (const part of form.querySelectorAll<HTMLElement>('[data-method]')) {
    part.hidden = !part.dataset.method!.split(' ').some((each) => methods.includes(each as never))
  }
  const prove = (proved: Promise<true>) =>
    proved.then(
      () => dialog.close('proved'),
      (error) => {
        output.textContent = messageOf(error)
      }
    )
  form.onsubmit = (event) => {
    event.preventDefault()
    const { code, password } = form.elements as unknown as Record<string, HTMLInputElement>
    const isPassword = methods.includes('password') && code!.value === ''
    prove(isPassword ? proof.password(password!.value) : proof.code(code!.value))
  }
  form.querySelector<HTMLButtonElement>('[data-method=passkey]')!.onclick = () =>
    prove(proof.passkey())
  form.querySelector<HTMLButtonElement>('[name=cancel]')!.onclick = () => dialog.close()
  dialog.returnValue = ''
  dialog.showModal()
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }))
  return dialog.returnValue === 'proved'
}
