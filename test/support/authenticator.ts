import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

// An authenticator and a browser in software (WebAuthn level 3), with a knob for everything that an
// attacker can change.

/** A passkey with its private key. */
export interface SoftPasskey {
  id: Buffer
  rpId: string
  userHandle: string
  algorithm: keyof typeof keys
  privateKey: KeyObject
  publicKey: Buffer
  counter: number
  synced: boolean
}

export interface Knobs {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: unknown
  topOrigin?: string
  userPresent?: boolean
  userVerified?: boolean
  /** Whether the key says that it can be copied to other devices. */
  synced?: boolean
  /** Whether it says that it was. */
  copied?: boolean
  counter?: number
  userHandle?: string | null
  /** Members that browsers may add, at the three levels. */
  extra?: object
}
interface CreationKnobs extends Knobs {
  algorithm?: keyof typeof keys
  id?: Buffer
  aaguid?: string
  transports?: string[]
  /** COSE_Key in CBOR. */
  publicKey?: Buffer
  format?: string
  statement?: Cbor
  attestationObject?: Buffer
}

export interface CreationOptions {
  rp: { id: string }
  user: { id: string }
  challenge: string
}
export interface RequestOptions {
  rpId: string
  challenge: string
}

export type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>

/** CBOR (RFC 8949), as far as authenticators use it. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const pairs = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

/** The head of an item: its major type and a length or number. */
export function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value)
  if (value < 256) return Buffer.of((major << 5) | 24, value)
  const bytes = Buffer.alloc(value < 65536 ? 3 : 5)
  bytes[0] = (major << 5) | (value < 65536 ? 25 : 26)
  bytes.writeUIntBE(value, 1, bytes.length - 1)
  return bytes
}

const bytesOf = (text = '') => Buffer.from(text, 'base64url')
export const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()

/** Each algorithm: a new key pair, the public key in COSE, and the hash that is signed. */
const keys = {
  ES256: {
    create: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    cose: ({ x, y }: JsonWebKey) =>
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytesOf(x)],
        [-3, bytesOf(y)]
      ]),
    hash: 'sha256'
  },
  EdDSA: {
    create: () => generateKeyPairSync('ed25519'),
    cose: ({ x }: JsonWebKey) =>
      new Map<number, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytesOf(x)]
      ]),
    hash: null
  },
  RS256: {
    create: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    cose: ({ n, e }: JsonWebKey) => rsaKey(bytesOf(n), bytesOf(e)),
    hash: 'sha256'
  }
} as const

/** An RSA key in COSE (RFC 8230). */
export const rsaKey = (modulus: Buffer, exponent: Buffer) =>
  new Map<number, Cbor>([
    [1, 3],
    [3, -257],
    [-1, modulus],
    [-2, exponent]
  ])

interface JsonWebKey {
  x?: string
  y?: string
  n?: string
  e?: string
}

const flag = { present: 1, verified: 4, eligible: 8, copied: 16, attested: 64 }

const clientData = (type: string, challenge: string, knobs: Knobs) =>
  Buffer.from(
    JSON.stringify({
      type: knobs.type ?? type,
      challenge: knobs.challenge ?? challenge,
      origin: knobs.origin ?? 'http://localhost:3000',
      crossOrigin: knobs.crossOrigin ?? false,
      ...(knobs.topOrigin !== undefined && { topOrigin: knobs.topOrigin })
    })
  )

const authenticatorData = (
  rpId: string,
  { userPresent = true, userVerified = true, counter = 0 }: Knobs,
  more = 0,
  rest = Buffer.alloc(0)
) => {
  const flags = (userPresent ? flag.present : 0) | (userVerified ? flag.verified : 0) | more
  const numbers = Buffer.alloc(5)
  numbers[0] = flags
  numbers.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), numbers, rest])
}

/** Creates a passkey, and the credential that a browser sends. */
export function createPasskey(options: CreationOptions, knobs: CreationKnobs = {}) {
  const { algorithm = 'ES256', id = randomBytes(32), synced = false } = knobs
  const rpId = knobs.rpId ?? options.rp.id
  const { create, cose } = keys[algorithm]
  const pair = create()
  const publicKey =
    knobs.publicKey ?? cbor(cose(pair.publicKey.export({ format: 'jwk' }) as JsonWebKey))
  const aaguid = Buffer.from((knobs.aaguid ?? '').replaceAll('-', '').padEnd(32, '0'), 'hex')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const authData = authenticatorData(
    rpId,
    knobs,
    flag.attested | (synced ? flag.eligible | flag.copied : 0),
    Buffer.concat([aaguid, length, id, publicKey])
  )
  const attestationObject =
    knobs.attestationObject ??
    cbor(
      new Map<string, Cbor>([
        ['fmt', knobs.format ?? 'none'],
        ['attStmt', knobs.statement ?? new Map()],
        ['authData', authData]
      ])
    )
  const response = {
    clientDataJSON: clientData('webauthn.create', options.challenge, knobs).toString('base64url'),
    attestationObject: attestationObject.toString('base64url'),
    transports: knobs.transports ?? ['internal'],
    ...knobs.extra
  }
  const passkey: SoftPasskey = {
    id,
    rpId,
    userHandle: options.user.id,
    algorithm,
    privateKey: pair.privateKey,
    publicKey,
    counter: knobs.counter ?? 0,
    synced
  }
  return { passkey, credential: envelope(id, response, knobs) }
}

/** The response of a browser when the user proves a passkey. */
export function answer(passkey: SoftPasskey, options: RequestOptions, knobs: Knobs = {}) {
  const data = clientData('webauthn.get', options.challenge, knobs)
  const { synced = passkey.synced, copied = synced } = knobs
  const authData = authenticatorData(
    knobs.rpId ?? passkey.rpId,
    { counter: passkey.counter, ...knobs },
    (synced ? flag.eligible : 0) | (copied ? flag.copied : 0)
  )
  const { hash } = keys[passkey.algorithm]
  const signature = sign(hash, Buffer.concat([authData, sha256(data)]), passkey.privateKey)
  const { userHandle = passkey.userHandle } = knobs
  return envelope(
    passkey.id,
    {
      clientDataJSON: data.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle,
      ...knobs.extra
    },
    knobs
  )
}

const envelope = <T extends object>(id: Buffer, response: T, { extra }: Knobs) => ({
  id: id.toString('base64url'),
  rawId: id.toString('base64url'),
  type: 'public-key',
  response,
  clientExtensionResults: { ...extra },
  ...extra
})
