import { signal } from '@preact/signals'
import type { User } from '../../client/portal.ts'

/** Whose page this is. */
export type PageSession =
  | { is: 'unknown' } // nobody has asked yet
  | { is: 'nobody' }
  | { is: 'live'; user: User }
  /** The page keeps what the user has typed. A dialog asks them to sign in again. */
  | { is: 'ended'; user: User }
  /** Another user has signed in. The page reloads: nothing of the first stays. */
  | { is: 'foreign'; user: User }

/** What follows when the portal says who is signed in: null for nobody. */
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
