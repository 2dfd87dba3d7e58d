import { signal } from '@preact/signals'
import createClient from 'openapi-fetch'
import type { components, paths } from '../../../openapi/api.d.ts'

type User = components['schemas']['CurrentUser']

/** The signed-in user, null for nobody, and undefined until `readSession` has asked. */
export const user = signal<User | null | undefined>(undefined)

/** Whether the session of the user has ended. Signing in sets it back. */
export const hasSessionEnded = signal(false)

let beforeReload = () => {}

export function reload() {
  beforeReload()
  location.reload()
}

/** After a sign-in. Reloads the page for another user than before: nothing of the first stays. */
export function setUser(next: User) {
  if (user.value && user.value.id !== next.id) reload()
  hasSessionEnded.value = false
  user.value = next
}

// Without the `send` of client.ts, which calls `checkSession` itself.
const portal = createClient<paths>({ baseUrl: '/' })

/** The user of the session; null without a session, undefined if the request failed. */
const readUser = async () =>
  (await portal.GET('/api/auth/session').catch(() => undefined))?.data?.user

type Found = 'same' | 'ended' | 'other' | undefined
let check: Promise<Found> | undefined

/**
 * Asks whose session it is now. If it has ended, a dialog opens, so that what was typed stays. For
 * another user the page reloads. Resolves with undefined if the request failed.
 */
export function checkSession(): Promise<Found> {
  check = findSession()
  return check
}

/** Whether the last check found another user, so that the page reloads. */
export const isOfOther = async () => (await check) === 'other'

async function findSession(): Promise<Found> {
  if (!user.value) return undefined
  // Asks again: the first request may have left with a cookie that was just replaced.
  const now = (await readUser()) ?? (await readUser())
  if (now === undefined) return undefined
  if (now && now.id !== user.value.id) {
    reload()
    return 'other'
  }
  hasSessionEnded.value = now === null
  return now ? 'same' : 'ended'
}

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
