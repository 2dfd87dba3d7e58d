import { readFlags } from './flags.ts'
import { ok, portal } from './portal.ts'
import type { components } from './api.d.ts'

export type User = components['schemas']['CurrentUser']

/** The signed-in user as of the last question. */
export let user: User | null = null

/** Asks who is signed in. Returns whether it is somebody else than before. */
export async function askWhoIsSignedIn() {
  const before = user?.id
  const session = await ok(portal.GET('/api/auth/session'))
  user = session.user
  if (before === user?.id && before !== undefined) return false
  await readFlags(user)
  return before !== user?.id
}
