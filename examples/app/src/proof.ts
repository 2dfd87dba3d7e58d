import { getPasskey } from './passkeys.ts'
import type { components, paths } from './api.d.ts'
import createClient from 'openapi-fetch'

type Method = NonNullable<components['schemas']['Problem']['methods']>[number]
type Proof = components['schemas']['Reauthentication']

// Without the wrapper of portal.ts: these calls never need a proof themselves.
const portal = createClient<paths>({ baseUrl: '/' })

/** Asks who the user is, with one of these methods. Resolves with false if the user cancels. */
export async function proveAgain(methods: Method[]): Promise<boolean> {
  const dialog = document.querySelector<HTMLDialogElement>('#proof')!
  const form = dialog.querySelector('form')!
  const output = form.querySelector('output')!
  form.reset()
  output.textContent = methods.length === 0 ? 'You have nothing to prove it with.' : ''
  for (const part of form.querySelectorAll<HTMLElement>('[data-method]')) {
    part.hidden = !part.dataset.method!.split(' ').some((each) => methods.includes(each as Method))
  }
  const prove = async (proof: Proof) => {
    const { error } = await portal.POST('/api/auth/reauthenticate', { body: proof })
    if (error) output.textContent = error.detail
    else dialog.close('proved')
  }
  form.onsubmit = async (event) => {
    event.preventDefault()
    const { code, password } = form.elements as unknown as Record<string, HTMLInputElement>
    const isPassword = methods.includes('password') && code!.value === ''
    await prove(isPassword ? { password: password!.value } : { code: code!.value })
  }
  form.querySelector<HTMLButtonElement>('[data-method=passkey]')!.onclick = async () => {
    const { data } = await portal.POST('/api/auth/reauthenticate/options')
    if (data) await getPasskey(data).then((credential) => prove({ credential }), console.warn)
  }
  form.querySelector<HTMLButtonElement>('[name=cancel]')!.onclick = () => dialog.close()
  dialog.returnValue = ''
  dialog.showModal()
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }))
  return dialog.returnValue === 'proved'
}
