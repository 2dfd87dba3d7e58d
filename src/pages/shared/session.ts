import { computed, effect, signal } from '@preact/signals'
import type { User } from '../../client/portal.ts'
import { client, ok, page, portal } from './client.ts'
import type { Schemas } from './client.ts'
import { ifAllowed } from './storage.ts'

/** The users whom somebody opened last in this tab. Their names must not outlive the sign-in. */
const place = 'portal-opened'

interface Opened<Item> {
  userId: string | undefined
  items: Item[]
}

/** The pages that this user opened, the last one first. */
export function openedBy<Item>(userId: string | undefined): Item[] {
  const read = () => JSON.parse(sessionStorage.getItem(place) ?? '{}') as Partial<Opened<Item>>
  const kept = ifAllowed(read)
  return (kept?.userId === userId && kept?.items) || []
}

export const keepOpened = <Item>(opened: Opened<Item>) =>
  ifAllowed(() => sessionStorage.setItem(place, JSON.stringify(opened)))

export const forgetOpened = () => ifAllowed(() => sessionStorage.removeItem(place))

let beforeLeaving = () => {}

/** @param prepare called before the page reloads, or leads elsewhere */
export function prepareLeaving(prepare: () => void) {
  beforeLeaving = prepare
}

function reload() {
  beforeLeaving()
  location.reload()
}

export function leave(url: string) {
  beforeLeaving()
  location.assign(url)
}

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

// Removes what others have opened: their session may have ended while no page was open.
effect(() => {
  if (user.value !== undefined && openedBy(user.value?.id).length === 0) forgetOpened()
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

/** Whose page this is. */
export type PageSession =
  | { is: 'unknown' } // nobody has asked yet
  | { is: 'nobody' }
  | { is: 'live'; user: User }
  /** The page keeps what the user has typed. A dialog asks them to sign in again. */
  | { is: 'ended'; user: User }
  /** Another user has signed in. The page reloads: nothing of the first stays. */
  | { is: 'foreign'; user: User }

/** Takes over whom the portal says is signed in: null for nobody. */
export function sessionAfter(before: PageSession, found: User | null): PageSession {
  if (before.is === 'foreign') return before
  if ('user' in before) {
    if (found === null) return { is: 'ended', user: before.user }
    if (found.id !== before.user.id) return { is: 'foreign', user: before.user }
  }
  return found ? { is: 'live', user: found } : { is: 'nobody' }
}

/** @param reload loads the page again */
export function createPageSession(reload: () => void) {
  const state = signal<PageSession>({ is: 'unknown' })
  return {
    state,
    /** Takes over who is signed in. */
    found(user: User | null) {
      const next = sessionAfter(state.value, user)
      if (next.is === 'foreign' && state.value.is !== 'foreign') reload()
      state.value = next
    }
  }
}

/** Ways to sign in to this portal, undefined until `readSession` has asked. */
export const options = signal<Schemas['SignInOptions'] | undefined>(undefined)

export async function readSession() {
  const [offered, { user }] = await Promise.all([
    ok(portal.GET('/api/auth/options')),
    ok(portal.GET('/api/auth/session'))
  ])
  options.value = offered
  setUser(user)
}
