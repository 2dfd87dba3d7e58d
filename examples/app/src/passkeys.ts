import type { components } from './api.d.ts'

type Schemas = components['schemas']

// docs/passkeys.md explains what else a page can do with them.

/** Whether this browser knows passkeys in the form that the portal sends and gets. */
export const knowsPasskeys =
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'

/** Lets the user choose a passkey. Rejects if they do not. */
export async function getPasskey(options: Schemas['PasskeyRequestOptions']) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  return (credential as PublicKeyCredential).toJSON() as Schemas['PasskeyAssertion']
}

/** Lets the device create a passkey. Rejects if the user does not allow it. */
export async function createPasskey(options: Schemas['PasskeyCreationOptions']) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey })
  return (credential as PublicKeyCredential).toJSON() as Schemas['PasskeyCreated']
}
