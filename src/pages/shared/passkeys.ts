import { ok, portal, Refusal } from './client.ts'
import type { Schemas } from './client.ts'

/** Whether the browser has all that the functions below use. */
export const hasPasskeys =
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'

/** WebAuthn level 3, which not all browsers have, nor the types of the DOM. */
interface Signalling {
  signalUnknownCredential?(credential: { rpId: string; credentialId: string }): Promise<void>
}

/** Lets the user choose a passkey. Rejects with a DOMException if the user cancels. */
export async function getPasskey(options: Schemas['PasskeyRequestOptions']) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  return (credential as PublicKeyCredential).toJSON() as Schemas['PasskeyAssertion']
}

export async function signInWithPasskey(): Promise<Schemas['SignedIn']> {
  const options = await ok(portal.POST('/api/auth/passkey/options'))
  const credential = await getPasskey(options)
  try {
    return await ok(portal.POST('/api/auth/passkey', { body: { credential } }))
  } catch (error) {
    if (error instanceof Refusal && error.problem.code === 'unknown-passkey') {
      await (PublicKeyCredential as Signalling).signalUnknownCredential?.({
        rpId: options.rpId,
        credentialId: credential.id
      })
    }
    throw error
  }
}
