import { flags } from '../flags.ts'
import { user } from '../session.ts'
import { show } from '../view.ts'

export function drawHome() {
  const greeting = flags.getBooleanValue('new-greeting', false)
    ? 'Your invoices have missed you.'
    : 'Welcome.'
  show('home', { name: user!.name, greeting })
}
