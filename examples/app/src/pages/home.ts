import { ProviderEvents } from '@openfeature/web-sdk'
import { flags } from '../flags.ts'
import { currentUser } from '../portal.ts'
import { find, setTexts, show } from '../view.ts'

export function drawHome() {
  show('home', { name: currentUser()!.name })
  showGreeting()
}

function showGreeting() {
  if (!find('[data-text=greeting]')) return // another page is shown
  const isNew = flags.getBooleanValue('new-greeting', false)
  setTexts({ greeting: isNew ? 'Your invoices have missed you.' : 'Welcome.' })
}

// The flags of a user arrive after the sign-in, and can change.
flags.addHandler(ProviderEvents.Ready, showGreeting)
flags.addHandler(ProviderEvents.ConfigurationChanged, showGreeting)
