import { ok } from 'portal-client'
import { messageOf } from 'portal-client/messages'
import { portal } from '../portal.ts'
import { find, onSubmit, setTexts, show, showList } from '../view.ts'

export async function loadSecurity() {
  const state = await readState()
  return () => drawSecurity(state)
}

function drawSecurity(state: State) {
  show('security')
  showState(state)
  onSubmit('#begin-form', async () => {
    const { secret, uri, qr } = await ok(portal.api.POST('/api/user/totp'))
    setTexts({ secret })
    find<HTMLAnchorElement>('#app-link').href = uri
    find<HTMLImageElement>('#qr').src = `data:image/svg+xml,${encodeURIComponent(qr)}`
    find('#app-form').hidden = false
    find('#app-form input').focus()
  })
  onSubmit('#app-form', async ({ code = '' }) => {
    showCodes(await ok(portal.api.POST('/api/user/totp/confirm', { body: { code } })))
    find('#app-form').hidden = true
    showState(await readState())
  })
  onSubmit('#renew-form', async () => {
    showCodes(await ok(portal.api.POST('/api/user/recovery-codes')))
    showState(await readState())
  })
  find('#add-form').hidden = !portal.passkeys.isSupported
  onSubmit('#add-form', async () => {
    const { name } = await portal.passkeys.create()
    showState(await readState())
    return `Added: ${name}`
  })
}

function showCodes({ recoveryCodes }: { recoveryCodes: string[] }) {
  showList('#recovery ul', recoveryCodes)
  find('#recovery').hidden = false
}

type State = Awaited<ReturnType<typeof readState>>

async function readState() {
  const [security, { items }] = await Promise.all([
    ok(portal.api.GET('/api/user/security')),
    ok(portal.api.GET('/api/user/passkeys'))
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
      await ok(portal.api.DELETE('/api/user/passkeys/{id}', { params: { path: { id } } }))
      showState(await readState())
    } catch (error) {
      output.textContent = messageOf(error)
    }
  })
  return row
}
