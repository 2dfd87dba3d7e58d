import { drawHome } from './pages/home.ts'
import { drawInvoices } from './pages/invoices.ts'
import { drawProfile } from './pages/profile.ts'
import { drawConfirm, drawRegister } from './pages/register.ts'
import { drawSecurity } from './pages/security.ts'
import { drawSignIn } from './pages/sign-in.ts'
import { ok, portal } from './portal.ts'
import { askWhoIsSignedIn, user } from './session.ts'
import { go, show } from './view.ts'

const open: Record<string, () => void> = {
  '/sign-in': drawSignIn,
  '/register': drawRegister,
  '/account/confirm': drawConfirm // the link in the mail: ACCOUNT_URL and /confirm
}
const forUsers: Record<string, () => void> = {
  '/': drawHome,
  '/invoices': drawInvoices,
  '/profile': drawProfile,
  '/security': drawSecurity
}

function draw() {
  const { pathname } = location
  document.querySelector<HTMLElement>('#signed-in')!.hidden = user === null
  document.querySelector<HTMLElement>('#signed-out')!.hidden = user !== null
  if (open[pathname]) open[pathname]()
  else if (!forUsers[pathname]) show('not-found')
  else if (user) forUsers[pathname]()
  else drawSignIn()
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
  if (await askWhoIsSignedIn()) draw()
}
addEventListener('focus', askAgain)
addEventListener('session-ended', askAgain)
addEventListener('popstate', draw)

await askWhoIsSignedIn()
draw()
