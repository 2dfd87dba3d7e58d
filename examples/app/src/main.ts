import { messageOf } from 'portal-client/messages'
import { drawHome } from './pages/home.ts'
import { drawInvoices } from './pages/invoices.ts'
import { loadProfile } from './pages/profile.ts'
import { drawConfirm, drawRegister } from './pages/register.ts'
import { loadSecurity } from './pages/security.ts'
import { drawSignIn } from './pages/sign-in.ts'
import { currentUser, portal } from './portal.ts'
import { go, show } from './view.ts'

/** Shows itself, or loads what it shows and returns a function that shows it. */
type Page = () => void | Promise<() => void>

const open: Record<string, Page> = {
  '/sign-in': drawSignIn,
  '/register': drawRegister,
  // Links in mails: below ACCOUNT_URL.
  '/account/confirm': drawConfirm,
  '/account/sign-in': drawSignIn
}
const forUsers: Record<string, Page> = {
  '/': drawHome,
  '/invoices': drawInvoices,
  '/profile': loadProfile,
  '/security': loadSecurity,
  '/account/security': loadSecurity
}

let count = 0
let drawnFor: string | undefined

async function draw() {
  const { pathname } = location
  const user = currentUser()
  drawnFor = user?.id
  document.querySelector<HTMLElement>('#signed-in')!.hidden = user === null
  document.querySelector<HTMLElement>('#signed-out')!.hidden = user !== null
  const page: Page | undefined =
    open[pathname] ?? (user || !forUsers[pathname] ? forUsers[pathname] : drawSignIn)
  const number = ++count
  const isLast = () => number === count // else the user has gone elsewhere, or signed out
  try {
    if (!page) return show('not-found')
    const drawLoaded = await page()
    if (isLast()) drawLoaded?.()
  } catch (error) {
    if (isLast()) show('failed', { message: messageOf(error) })
  }
}

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest('a')
  if (link?.origin !== location.origin || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  go(link.pathname)
})
document.querySelector('#sign-out')!.addEventListener('click', async () => {
  await portal.signOut()
  go('/')
})
addEventListener('popstate', draw)

await portal.session.look() // if it fails, the page that needs the portal says so
portal.session.subscribe(() => {
  // Here or in another tab, a user has signed out, or another one in.
  if (currentUser()?.id !== drawnFor) draw()
})
await draw()
