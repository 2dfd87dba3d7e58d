import { Type } from '@sinclair/typebox'
import type { TProperties } from '@sinclair/typebox'
import {
  mostCredentialIdBytes,
  mostPasskeys,
  passkeyDeviceTypes,
  passkeyNameLength
} from '../../db/schema/second-factors.ts'
import { enrolmentToken } from './emails.ts'
import { pageOf } from './lists.ts'
import { closed, Id, nullable, oneOf, ref, text, Timestamp } from './primitives.ts'
import { restore } from './users.ts'

const binary = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    description: `${description}, as base64url`,
    examples: ['q83vEjRWeJA']
  })

const credentialId = binary(
  Math.ceil((mostCredentialIdBytes * 4) / 3),
  'Id that the device chose for the passkey'
)
const challenge = binary(70, 'Challenge that can be answered once, within five minutes')
const rpId = text(253, {
  description: 'Host name that the passkey is created for (RP ID)',
  examples: ['portal.example.com']
})
const transport = Type.String({ maxLength: 32, pattern: '^[ -~]*$', examples: ['internal'] })

/** Browsers add members to credentials, which are ignored. */
const open = <T extends TProperties>(
  properties: T,
  options: { $id?: string; description: string }
) => Type.Object(properties, { additionalProperties: true, maxProperties: 30, ...options })

const credential = <T extends TProperties>($id: string, response: T, description: string) =>
  open(
    {
      id: credentialId,
      rawId: credentialId,
      type: oneOf(['public-key'] as const, { description: 'Kind of credential' }),
      response: open(response, { description: 'Response of the device' }),
      clientExtensionResults: Type.Optional(open({}, { description: 'Results of extensions' }))
    },
    { $id, description }
  )

const clientDataJSON = binary(2048, 'Client data, in JSON')

/** @public a component of the API document */
export const PasskeyCreated = credential(
  'PasskeyCreated',
  {
    clientDataJSON,
    attestationObject: binary(8192, 'The new passkey, in CBOR'),
    transports: Type.Optional(
      Type.Array(transport, { maxItems: 10, description: 'How the device can be reached' })
    )
  },
  'A new passkey: `toJSON()` of the result of `navigator.credentials.create`'
)

export const PasskeyAssertion = credential(
  'PasskeyAssertion',
  {
    clientDataJSON,
    authenticatorData: binary(2048, 'Authenticator data'),
    signature: binary(2048, 'Signature of the authenticator data and the client data'),
    // Safari sends an empty text for none.
    userHandle: Type.Optional(
      nullable({
        ...binary(86, 'User id, as 16 bytes'),
        minLength: 0,
        pattern: '^[A-Za-z0-9_-]*$'
      })
    )
  },
  'An assertion by a passkey: `toJSON()` of the result of `navigator.credentials.get`'
)

export const PasskeySignIn = closed(
  { credential: ref(PasskeyAssertion), restore },
  { $id: 'PasskeySignIn', description: 'A passkey to sign in with' }
)

/** This limit only bounds the work; the domain checks the length after normalization. */
const newName = text(4 * passkeyNameLength.max, {
  description: `${passkeyNameLength.min} to ${passkeyNameLength.max} characters`,
  examples: ['Laptop']
})

export const NewPasskey = closed(
  {
    credential: ref(PasskeyCreated),
    name: Type.Optional(newName),
    token: enrolmentToken
  },
  { $id: 'NewPasskey', description: 'A passkey to add' }
)

export const PasskeyPatch = closed(
  { name: newName },
  { $id: 'PasskeyPatch', description: 'A new name for a passkey' }
)

export const Passkey = closed(
  {
    id: Id('Passkey id'),
    name: text(passkeyNameLength.max, {
      description: 'Name that the user chose, else the model of the device or the browser',
      examples: ['Laptop']
    }),
    credentialId,
    rpId,
    deviceType: oneOf(passkeyDeviceTypes, {
      description: '`single`: bound to one device; `multi`: may be copied to others'
    }),
    backedUp: Type.Boolean({ description: 'Whether the passkey is backed up' }),
    createdAt: Timestamp('Time at which it was added'),
    lastUsedAt: nullable(Timestamp('Time of the last authentication with it'))
  },
  { $id: 'Passkey', description: 'A passkey of the current user' }
)
export const PasskeyPage = pageOf('PasskeyPage', Passkey, "The current user's passkeys")

const timeout = Type.Integer({
  format: 'int32',
  minimum: 0,
  maximum: 600_000,
  description: 'Milliseconds',
  examples: [300_000]
})
const publicKey = oneOf(['public-key'] as const, { description: 'Kind of credential' })
const descriptors = (description: string) =>
  Type.Array(
    closed({
      type: publicKey,
      id: credentialId,
      transports: Type.Array(transport, { maxItems: 10 })
    }),
    { maxItems: mostPasskeys, description }
  )
const required = oneOf(['required'] as const)

export const PasskeyCreationOptions = closed(
  {
    rp: closed({ id: rpId, name: text(40, { examples: ['portal'] }) }),
    user: closed({
      id: binary(86, 'User id, as 16 bytes'),
      name: text(254, { examples: ['ada@example.com'] }),
      displayName: text(80, { examples: ['Ada Lovelace'] })
    }),
    challenge,
    pubKeyCredParams: Type.Array(
      closed({
        type: publicKey,
        alg: Type.Integer({
          format: 'int32',
          minimum: -65535,
          maximum: 0,
          description: 'COSE algorithm'
        })
      }),
      { maxItems: 10 }
    ),
    timeout,
    excludeCredentials: descriptors('Passkeys that the user already has'),
    authenticatorSelection: closed({
      residentKey: required,
      requireResidentKey: Type.Boolean(),
      userVerification: required
    }),
    attestation: oneOf(['none'] as const)
  },
  {
    $id: 'PasskeyCreationOptions',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`'
  }
)

export const PasskeyRequestOptions = closed(
  {
    challenge,
    timeout,
    rpId,
    userVerification: required,
    allowCredentials: Type.Optional(descriptors('Passkeys of the user'))
  },
  {
    $id: 'PasskeyRequestOptions',
    description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON`'
  }
)
