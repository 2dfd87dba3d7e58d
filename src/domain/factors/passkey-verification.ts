import { mostCredentialIdBytes } from '../../../db/schema/second-factors.ts'
import type { PasskeyRow } from '../../../db/schema/second-factors.ts'
import type { Challenge, ChallengePurpose, Challenges } from './challenges.ts'

/** Where passkeys can be used. */
export interface PasskeyRules {
  /** Host name that they are created for (WebAuthn, RP ID). */
  rpId: string
  /** Name of the portal, as browsers show it. */
  rpName: string
  /** Origins of the pages that may use them. */
  origins: readonly string[]
  challenges: Challenges
}

/**
 * A response of a browser as its `toJSON` writes it (WebAuthn level 3). Binary values are
 * base64url. Browsers add members, which are ignored.
 */
interface Credential<Response> {
  id: string
  rawId: string
  type: string
  response: Response
}
export type NewCredential = Credential<{
  clientDataJSON: string
  attestationObject: string
  transports?: string[]
}>
export type Assertion = Credential<{
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle?: string | null
}>

/** COSE algorithms: EdDSA, ES256 and RS256 (some versions of Windows Hello). */
export const algorithms = [-8, -7, -257]
const keyTypes: Record<number, number> = { [-8]: 1, [-7]: 2, [-257]: 3 }
/** Labels of COSE keys (RFC 9052, RFC 8230). */
const label = { kty: 1, alg: 3, n: -1, e: -2 }
const rsaBytes = { least: 256, most: 512 }
/** Bytes. */
const most = { id: mostCredentialIdBytes, key: 1024 }

/**
 * The challenge that a response answers. Undefined when it was not issued for this purpose, or was
 * answered in a frame of another origin.
 */
export function challengeOf(
  { challenges }: PasskeyRules,
  purpose: ChallengePurpose,
  { response }: Credential<{ clientDataJSON: string }>
): Challenge | undefined {
  const { challenge, crossOrigin = false, topOrigin } = clientDataOf(response)
  if (typeof challenge !== 'string' || crossOrigin !== false || topOrigin !== undefined) return
  return challenges.read(purpose, challenge)
}

function clientDataOf({ clientDataJSON }: { clientDataJSON: string }): Record<string, unknown> {
  try {
    const parsed = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as unknown
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}

/** Loaded when first needed, because it takes a quarter of a second and 28 MB. */
const load = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers'))
})

/** Makes the library accept only a page of this portal and a verified user. */
const checkOf = <Response extends { clientDataJSON: string }>(
  { rpId, origins }: PasskeyRules,
  { id, rawId }: Credential<unknown>,
  response: Response
) => ({
  response: { id, rawId, type: 'public-key' as const, response, clientExtensionResults: {} },
  expectedChallenge: String(clientDataOf(response).challenge),
  expectedOrigin: [...origins],
  expectedRPID: rpId,
  requireUserVerification: true
})

/**
 * Returns the columns of a new passkey, or undefined when the response is not acceptable. The
 * caller has checked its challenge. The library throws many kinds of errors, which all mean the
 * same.
 */
export async function verifyCredential(rules: PasskeyRules, credential: NewCredential) {
  const {
    decodeAttestationObject,
    isoBase64URL,
    isoCBOR,
    verifyRegistrationResponse,
    verifySignature
  } = await load()
  try {
    const { attestationObject, clientDataJSON } = credential.response
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get(
      'authData'
    )
    // The portal accepts every authenticator, so it does not read attestation statements: for
    // formats with certificates, the library would parse these and fetch the lists that they name.
    const bare = isoCBOR.encode(
      new Map<string, Uint8Array | string | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', authData]
      ])
    )
    const response = { clientDataJSON, attestationObject: isoBase64URL.fromBuffer(bare) }
    const { registrationInfo } = await verifyRegistrationResponse({
      ...checkOf(rules, credential, response),
      supportedAlgorithmIDs: algorithms
    })
    if (!registrationInfo) return undefined
    const { aaguid, credentialBackedUp, credentialDeviceType } = registrationInfo
    const { id, publicKey, counter } = registrationInfo.credential
    const key = isoCBOR.decodeFirst<Map<number, unknown>>(publicKey)
    const credentialId = Buffer.from(id, 'base64url')
    const fits = credentialId.length > 0 && credentialId.length <= most.id
    if (!fits || publicKey.length > most.key || !isSound(key)) return undefined
    // Throws for a key that cannot verify anything, such as a point that is not on the curve.
    const data = new Uint8Array(1)
    await verifySignature({ signature: emptySignature, data, credentialPublicKey: publicKey })
    return {
      credentialId,
      publicKey,
      algorithm: Number(key.get(label.alg)),
      counter,
      aaguid,
      deviceType: shortType[credentialDeviceType],
      backedUp: credentialBackedUp
    }
  } catch {
    return undefined
  }
}

const shortType = { singleDevice: 'single', multiDevice: 'multi' } as const
/** In the form of ECDSA: a sequence of two integers. */
const emptySignature = Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1)

/** The type of the key fits the algorithm, and RSA keys are neither weak nor expensive. */
function isSound(key: ReadonlyMap<number, unknown>) {
  if (key.get(label.kty) !== keyTypes[Number(key.get(label.alg))]) return false
  if (key.get(label.kty) !== 3) return true
  const [n, e] = [key.get(label.n), key.get(label.e)]
  return (
    n instanceof Uint8Array &&
    n.length >= rsaBytes.least &&
    n.length <= rsaBytes.most &&
    e instanceof Uint8Array &&
    e.length <= 4
  )
}

/**
 * Returns what a passkey says about itself, or undefined when the passkey did not sign
 * the assertion for one of our pages with its user verified. The caller has checked the challenge,
 * and judges the counter.
 * @param isNamed whether it must name the user, as it does at a sign-in without a username
 */
export async function verifyAssertion(
  rules: PasskeyRules,
  {
    credential,
    passkey,
    isNamed
  }: {
    credential: Assertion
    passkey: Pick<PasskeyRow, 'userId' | 'publicKey'>
    isNamed: boolean
  }
): Promise<Pick<PasskeyRow, 'counter' | 'deviceType' | 'backedUp'> | undefined> {
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response
  const isOwn = userHandle === handleOf(passkey.userId)
  if (!isOwn && (isNamed || userHandle)) return undefined // Safari sends an empty text for none
  const { verifyAuthenticationResponse } = await load()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...checkOf(rules, credential, { clientDataJSON, authenticatorData, signature }),
      // With 0 the library accepts every counter.
      credential: { id: credential.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 }
    })
    const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo
    if (!verified) return undefined
    return {
      counter: newCounter,
      deviceType: shortType[credentialDeviceType],
      backedUp: credentialBackedUp
    }
  } catch {
    return undefined
  }
}

/**
 * The id of a user as authenticators keep it: its 16 bytes, which reveal nothing about the user.
 */
export const handleOf = (userId: string) =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
