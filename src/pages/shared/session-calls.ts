import { signal } from '@preact/signals'
import { ok, portal } from './client.ts'
import type { Schemas } from './client.ts'
import { setUser } from './session.ts'

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
