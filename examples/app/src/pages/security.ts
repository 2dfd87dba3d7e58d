import { createPasskey, knowsPasskeys } from '../passkeys.ts'
import { ok, portal } from '../portal.ts'
import type { components } from '../api.d.ts'
import { find, onSubmit, setTexts, show, showList } from '../view.ts'

export async function loadSecurity() {
  const state = await readState()
  return () => drawSecurity(state)
}

function drawSecurity(state: State) {
  show('security')
  showState(state)
  onSubmit('#begin-form', async () => {
    const { secret, uri, qr } = await ok(portal.POST('/api/user/totp'))
    setTexts({ secret })
    find<HTMLAnchorElement>('#app-link').href = uri
    find<HTMLImageElement>('#qr').src = `data:image/svg+xml,${encodeURIComponent(qr)}`
    find('#app-form').hidden = false
    find('#app-form input').focus()
  })
  onSubmit('#app-form', async ({ code = '' }) => {
    showCodes(await ok(portal.POST('/api/user/totp/confirm', { body: { code } })))
    find('#app-form').hidden = true
    showState(await readState())
  })
  onSubmit('#renew-form', async () => {
    showCodes(await ok(portal.POST('/api/user/recovery-codes')))
    showState(await readState())
  })
  find('#add-form').hidden = !knowsPasskeys
  onSubmit('#add-form', async () => {
    const credential = await createPasskey(await ok(portal.POST('/api/user/passkeys/options')))
    const { name } = await ok(portal.POST('/api/user/passkeys', { body: { credential } }))
    showState(await readState())
    return `Added: ${name}`
  })
}

function showCodes({ recoveryCodes }: components['schemas']['RecoveryCodes']) {
  showList('#recovery ul', recoveryCodes)
  find('#recovery').hidden = false
}

type State = Awaited<ReturnType<typeof readState>>

async function readState() {
  const [security, { items }] = await Promise.all([
    ok(portal.GET('/api/user/security')),
    ok(portal.GET('/api/user/passkeys'))
  ])
  return { ...security, passkeys: items }
}

function showState(state: State) {
  setTexts({
    summary: state.secondFactor
      ? `You sign in with a second factor. ${state.recoveryCodesLeft} recovery codes are left.`
      : 'You sign in with your password alone.'
  })
  find('#renew-form').hidden = state.totp === null
  showList(
    '#passkeys',
    state.passkeys.map(({ id, name }) => passkeyRow(id, name))
  )
}

function passkeyRow(id: string, name: string) {
  const row = document.createElement('form')
  const button = document.createElement('button')
  const output = document.createElement('output')
  button.textContent = 'Remove'
  button.setAttribute('aria-label', `Remove ${name}`)
  row.id = `passkey-${id}`
  row.append(name, ' ', button, output)
  row.addEventListener('submit', async (event) => {
    event.preventDefault()
    try {
      await ok(portal.DELETE('/api/user/passkeys/{id}', { params: { path: { id } } }))
      showState(await readState())
    } catch (error) {
      output.textContent = (error as Error).message
    }
  })
  return row
}
