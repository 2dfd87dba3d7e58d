import { drawHome } from './pages/home.ts'
import { drawInvoices } from './pages/invoices.ts'
import { loadProfile } from './pages/profile.ts'
import { drawConfirm, drawRegister } from './pages/register.ts'
import { loadSecurity } from './pages/security.ts'
import { drawSignIn } from './pages/sign-in.ts'
import { ok, portal } from './portal.ts'
import { askWhoIsSignedIn, user } from './session.ts'
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

async function draw() {
  const { pathname } = location
  document.querySelector<HTMLElement>('#signed-in')!.hidden = user === null
  document.querySelector<HTMLElement>('#signed-out')!.hidden = user !== null
  const page = open[pathname] ?? (user || !forUsers[pathname] ? forUsers[pathname] : drawSignIn)
  try {
    if (!page) return show('not-found')
    const drawLoaded = await page()
    // Meanwhile the user may have gone elsewhere.
    if (location.pathname === pathname) drawLoaded?.()
  } catch (error) {
    show('failed', { message: (error as Error).message })
  }
}

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest('a')
  if (link?.origin !== location.origin || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  go(link.pathname)
})
document.querySelector('#sign-out')!.addEventListener('click', async () => {
  await ok(portal.POST('/api/auth/logout'))
  await askWhoIsSignedIn()
  go('/')
})

/** Another tab may have signed out, or signed in somebody else. */
async function askAgain() {
  if (await askWhoIsSignedIn()) await draw()
}
addEventListener('focus', askAgain)
addEventListener('session-ended', askAgain)
addEventListener('popstate', draw)

await askWhoIsSignedIn().catch(console.warn) // the page that needs the portal says so
await draw()
