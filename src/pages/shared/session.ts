import { signal } from '@preact/signals'
import { hasSessionEnded, ok, portal } from './client.ts'
import type { Schemas } from './client.ts'

/** Ways to sign in to this portal, undefined until `readSession` has asked. */
export const options = signal<Schemas['SignInOptions'] | undefined>(undefined)

/** The signed-in user, null for nobody, and undefined until `readSession` has asked. */
export const user = signal<Schemas['CurrentUser'] | null | undefined>(undefined)

export async function readSession() {
  const [offered, session] = await Promise.all([
    ok(portal.GET('/api/auth/options')),
    ok(portal.GET('/api/auth/session'))
  ])
  options.value = offered
  user.value = session.user
}

/** After a sign-in. Reloads the page for another user than before: nothing of the first stays. */
export function setUser(next: Schemas['CurrentUser']) {
  if (user.value && user.value.id !== next.id) location.reload()
  hasSessionEnded.value = false
  user.value = next
}

export async function signOut() {
  await ok(portal.POST('/api/auth/logout'))
  location.reload()
}

async function reloadForOthers() {
  const before = user.value
  if (!before || hasSessionEnded.value) return
  const offline = () => ({ data: undefined })
  const { data } = await portal.GET('/api/auth/session').catch(offline)
  // A session that has ended opens a dialog instead, so that what was typed stays.
  if (data?.user === null) hasSessionEnded.value = true
  else if (data && data.user.id !== before.id) location.reload()
}

/** Another tab may have signed out, or signed in somebody else. */
export function watchSession() {
  addEventListener('focus', () => {
    void reloadForOthers()
  })
}
