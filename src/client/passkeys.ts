import type { Client } from 'openapi-fetch'
import type { components, paths } from '../../openapi/api.d.ts'
import { ok, RejectedCall } from './refusals.ts'

type Schemas = components['schemas']

/** WebAuthn level 3, which not all browsers have, nor the types of the DOM. */
interface Signalling {
  signalUnknownCredential?(credential: { rpId: string; credentialId: string }): Promise<void>
  signalAllAcceptedCredentials?(accepted: {
    rpId: string
    userId: string
    allAcceptedCredentialIds: string[]
  }): Promise<void>
}
const signalling = globalThis.PublicKeyCredential as unknown as Signalling | undefined

/** Whether the browser has all that these functions use. */
export const isSupported =
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'

let waiting: AbortController | undefined

/** A page can have one request at a time: a new one ends the pending one. */
function begin(): AbortController {
  waiting?.abort()
  waiting = new AbortController()
  return waiting
}

/** Lets the user choose a passkey. Rejects with a DOMException if the user cancels. */
export async function get(
  options: Schemas['PasskeyRequestOptions'],
  { signal } = begin(),
  mediation: CredentialMediationRequirement = 'optional'
) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey, signal, mediation })
  return (credential as PublicKeyCredential).toJSON() as Schemas['PasskeyAssertion']
}

/** @param more whether to restore an account whose deletion is planned */
export async function signIn(
  api: Client<paths>,
  more?: { restore?: boolean },
  controller = begin(),
  mediation?: CredentialMediationRequirement
): Promise<Schemas['SignedIn']> {
  const options = await ok(api.POST('/api/auth/passkey/options'))
  controller.signal.throwIfAborted()
  const credential = await get(options, controller, mediation)
  try {
    return await ok(api.POST('/api/auth/passkey', { body: { credential, ...more } }))
  } catch (error) {
    if ((error as Partial<RejectedCall>).problem?.code === 'unknown-passkey') {
      await signalling?.signalUnknownCredential?.({
        rpId: options.rpId,
        credentialId: credential.id
      })
    }
    throw error
  }
}

/** Less than the five minutes for which a challenge is valid. */
const renewal = 240_000

/**
 * Offers passkeys in the field of the form that has `autocomplete="username webauthn"`, until the
 * user chooses one, another request begins or `stop` aborts. Resolves with nothing if it ends
 * without a sign-in.
 */
export async function offer(
  api: Client<paths>,
  stop: AbortSignal
): Promise<Schemas['SignedIn'] | undefined> {
  if (!isSupported || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  while (!stop.aborted) {
    const controller = begin()
    const abort = () => controller.abort()
    stop.addEventListener('abort', abort)
    let isExpired = false
    const timer = setTimeout(() => {
      isExpired = true
      abort()
    }, renewal)
    try {
      return await signIn(api, undefined, controller, 'conditional')
    } catch (error) {
      if (error instanceof RejectedCall) throw error
      if (!isExpired) return
    } finally {
      clearTimeout(timer)
      stop.removeEventListener('abort', abort)
    }
  }
}

/** Creates a passkey on a device. Rejects with a DOMException if the user cancels. */
export async function make(options: Schemas['PasskeyCreationOptions']) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON
  )
  const { signal } = begin()
  const credential = await navigator.credentials.create({ publicKey, signal })
  const created: unknown = (credential as PublicKeyCredential).toJSON()
  return created as Schemas['PasskeyCreated']
}

/**
 * Tells the device which passkeys are left after a removal, so that it offers no others.
 * @param removed its host name may have no passkey left
 */
export async function tellDevice(
  userId: string,
  passkeys: Schemas['Passkey'][],
  removed: Schemas['Passkey']
) {
  const bytes = userId.replaceAll('-', '').match(/../g) ?? []
  const text = btoa(String.fromCharCode(...bytes.map((byte) => parseInt(byte, 16))))
  for (const rpId of new Set([removed, ...passkeys].map((passkey) => passkey.rpId))) {
    // It fails for a host that this page does not belong to, which no device asks for here.
    await signalling
      ?.signalAllAcceptedCredentials?.({
        rpId,
        userId: text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
        allAcceptedCredentialIds: passkeys
          .filter((passkey) => passkey.rpId === rpId)
          .map(({ credentialId }) => credentialId)
      })
      .catch(() => {})
  }
}

/** Adds a passkey to the account of the user. Needs a recent authentication. */
export async function create(api: Client<paths>, name?: string) {
  const credential = await make(await ok(api.POST('/api/user/passkeys/options')))
  const body = { credential, ...(name !== undefined && { name }) }
  return ok(api.POST('/api/user/passkeys', { body }))
}
