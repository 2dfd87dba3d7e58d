import { computed, signal } from '@preact/signals'
import createClient from 'openapi-fetch'
import type { components, paths } from '../../../openapi/api.d.ts'
import { authorized, bearer } from './bearer.ts'

type User = components['schemas']['CurrentUser']

/** Whose page this is. */
export type Session =
  | { is: 'unknown' } // nobody has asked yet
  | { is: 'nobody' }
  | { is: 'live'; user: User }
  /** The page keeps what the user has typed. A dialog asks them to sign in again. */
  | { is: 'ended'; user: User }
  /** Another user has signed in. The page reloads: nothing of the first stays. */
  | { is: 'foreign'; user: User }

/** What follows when the portal says who is signed in: null for nobody. */
export function sessionAfter(before: Session, found: User | null): Session {
  if (before.is === 'foreign') return before
  if ('user' in before) {
    if (found === null) return { is: 'ended', user: before.user }
    if (found.id !== before.user.id) return { is: 'foreign', user: before.user }
  }
  return found ? { is: 'live', user: found } : { is: 'nobody' }
}

interface Surroundings {
  /** Whose session it is now: null for nobody, undefined if the request failed. */
  read(): Promise<User | null | undefined>
  /** Loads the page again. */
  reload(): void
}

export function createSession({ read, reload }: Surroundings) {
  const state = signal<Session>({ is: 'unknown' })
  let checking: Promise<Session | undefined> | undefined

  /** Takes over who is signed in, such as after a sign-in. */
  function found(user: User | null) {
    const next = sessionAfter(state.value, user)
    if (next.is === 'foreign' && state.value.is !== 'foreign') reload()
    state.value = next
    return next
  }

  async function ask() {
    if (!('user' in state.value)) return undefined
    // Asks again: the first request may have left with a cookie that was just replaced.
    const now = (await read()) ?? (await read())
    return now === undefined ? undefined : found(now)
  }

  return {
    state,
    found,
    /** Asks whose session it is now. Resolves with undefined if the request failed. */
    check: () => (checking = ask()),
    /** Whether a check, also one that is under way, has found another user. */
    isForeign: async () => {
      await checking
      return state.value.is === 'foreign'
    }
  }
}

let beforeReload = () => {}

export function reload() {
  beforeReload()
  location.reload()
}

/** Leaves these pages. */
export function leave(url: string) {
  beforeReload()
  location.assign(url)
}

// Without the `send` of client.ts, which checks the session itself.
const portal = createClient<paths>({ baseUrl: '/', fetch: (call) => fetch(authorized(call)) })

const session = createSession({ read: readUser, reload })

async function readUser() {
  const found = await portal.GET('/api/auth/session').catch(() => undefined)
  // An operator's console that does not answer, or does not know this page, has ended.
  const hasEnded = bearer.isUsed && !found?.data
  return hasEnded ? null : found?.data?.user
}

export const { found: setUser, check: checkSession, isForeign } = session

/** The signed-in user, null for nobody, and undefined until `readSession` has asked. */
export const user = computed(() => {
  const { value } = session.state
  return 'user' in value ? value.user : value.is === 'nobody' ? null : undefined
})

/** Whether the session of the user has ended. Signing in sets it back. */
export const hasSessionEnded = computed(() => session.state.value.is === 'ended')

/**
 * Another tab may have signed out, or signed in somebody else.
 * @param prepare called before the page reloads
 */
export function watchSession(prepare = beforeReload) {
  beforeReload = prepare
  addEventListener('focus', () => {
    void checkSession()
  })
}
