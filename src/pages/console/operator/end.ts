import { ok, portal } from '../../shared/client.ts'
import { forgetOpened } from '../../shared/opened.ts'
import { setUser } from '../../shared/session.ts'

/** Of the token, in this tab: the storage belongs to scheme, host and port, unlike cookies. */
export const place = 'portal-console'

/** Ends the process of an operator's console. */
export async function endConsole() {
  await ok(portal.DELETE('/api/console/session'))
  sessionStorage.removeItem(place)
  forgetOpened()
  setUser(null)
}
