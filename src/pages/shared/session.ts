import { computed, effect } from '@preact/signals'
import type { User } from '../../client/portal.ts'
import { client, page } from './client.ts'
import { reload } from './leaving.ts'
import { forgetOpened, forgetOthers } from './opened.ts'
import { createPageSession } from './page-session.ts'

const { state, found } = createPageSession(() => {
  page.isForeign = true
  forgetOpened()
  reload()
})

/** Takes over who is signed in, such as after a sign-in, or what has changed about the user. */
export function setUser(user: User | null) {
  client.session.set(user)
  found(user)
}

/** The signed-in user, null for nobody, and undefined until `readSession` has asked. */
export const user = computed(() => {
  const { value } = state
  return 'user' in value ? value.user : value.is === 'nobody' ? null : undefined
})

effect(() => {
  if (user.value !== undefined) forgetOthers(user.value?.id)
})

/** Whether the session of the user has ended. Signing in sets it back. */
export const hasSessionEnded = computed(() => state.value.is === 'ended')

/**
 * Takes over what the client finds out: another tab may have signed out, or signed in somebody
 * else. A page of nobody stays as it is: its view decides what a sign-in leads to.
 */
const follow = () =>
  client.session.subscribe(() => {
    const { value } = client.session
    if ('user' in state.value) found(value.is === 'signed-in' ? value.user : null)
  })
let unfollow = follow()

/** Signs out, and loads the page again. */
export async function signOut() {
  unfollow() // no dialog for a session that the user ends
  try {
    await client.signOut()
  } catch (error) {
    unfollow = follow()
    throw error
  }
  forgetOpened()
  reload()
}
