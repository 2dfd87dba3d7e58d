import { createPortal } from 'portal-client'
import { proveAgain } from './proof.ts'

/** The portal: typed calls, and who is signed in. Calls that need a proof ask for it in a dialog. */
export const portal = createPortal({
  onProof: ({ methods }) => proveAgain(portal.proof, methods)
})

/** The signed-in user, or null. */
export function currentUser() {
  const { value } = portal.session
  return value.is === 'signed-in' ? value.user : null
}
