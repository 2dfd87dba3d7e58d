import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createChallenges } from '../../src/domain/factors/challenges.ts'
import { verifyAssertion, verifyCredential } from '../../src/domain/factors/passkey-verification.ts'
import { answer, cbor, createPasskey, head, rsaKey, sha256 } from '../support/authenticator.ts'
import type { Cbor } from '../support/authenticator.ts'
import { aCaller, testApp } from '../support/app.ts'
import { send, signInOptions, tryToAdd, withPasskey } from '../support/passkeys.ts'

// Bytes that no authenticator sends. Whatever the library does with them is one refusal.

const app = await testApp(t)
/** The refusal of the portal, or of the schema. */
const isRefused = ({ statusCode, json }: { statusCode: number; json(): { code: string } }) =>
  statusCode === 400 ||
  (statusCode === 401 && /^(passkey-refused|unknown-passkey)$/.test(json().code))
const invalid = { status: 400, code: 'invalid-passkey' }
const coseKey = (...entries: [number, Cbor][]) => cbor(new Map(entries))
const ones = (length: number) => Buffer.alloc(length, 1)
const exponent = Buffer.of(1, 0, 1)

const nested = (depth: number) => Buffer.alloc(depth, 0x81)
const huge: Record<string, Buffer> = {
  'deeply nested': nested(5000),
  'a text without an end': Buffer.concat([head(3, 4_000_000_000), Buffer.from('x')]),
  'bytes without an end': Buffer.of(0x5b, ...ones(8)),
  'an array of 2^32': head(4, 4_294_967_295),
  'a map of 2^32': head(5, 4_294_967_295),
  'an array of 2^64': Buffer.of(0x9b, ...Buffer.alloc(8, 255)),
  'an endless array': Buffer.of(0x9f, 1, 2),
  'a number': cbor(7),
  'a text': cbor('fmt'),
  'an empty map': cbor(new Map()),
  'a tag and a float': Buffer.of(0xc1, 0xfb, ...ones(8)),
  null: Buffer.of(0xf6),
  'one byte': Buffer.of(0xff)
}

const wrongKeys: Record<string, Buffer> = {
  ...huge,
  'no parameters': coseKey([1, 2], [3, -7]),
  'a point that is not on the curve': coseKey(
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, ones(32)],
    [-3, ones(32)]
  ),
  'short coordinates': coseKey([1, 2], [3, -7], [-1, 1], [-2, ones(31)], [-3, ones(32)]),
  'coordinates as text': coseKey([1, 2], [3, -7], [-1, 1], [-2, 'x'.repeat(32)], [-3, 'y']),
  'an unknown curve': coseKey([1, 2], [3, -7], [-1, 99], [-2, ones(32)], [-3, ones(32)]),
  'the type of another algorithm': coseKey([1, 2], [3, -257], [-1, 1], [-2, ones(32)]),
  'an algorithm that was not offered': coseKey([1, 2], [3, -36], [-1, 3], [-2, ones(66)]),
  'an algorithm as text': coseKey([1, 2], [3, '-7']),
  'a short Ed25519 key': coseKey([1, 1], [3, -8], [-1, 6], [-2, ones(31)]),
  'an Ed448 key': coseKey([1, 1], [3, -8], [-1, 7], [-2, ones(57)]),
  'an RSA key of 16384 bits': cbor(rsaKey(Buffer.alloc(2048, 255), exponent)),
  'an RSA key of 1024 bits': cbor(rsaKey(Buffer.alloc(128, 255), exponent)),
  'an RSA key with a huge exponent': cbor(rsaKey(Buffer.alloc(256, 255), Buffer.alloc(256, 255))),
  'an RSA key of text': coseKey([1, 3], [3, -257], [-1, 'n'.repeat(300)], [-2, 'AQAB']),
  'a key with 3 KB besides': coseKey([1, 1], [3, -8], [-1, 6], [-2, ones(32)], [99, ones(3000)])
}

const rules = {
  rpId: 'localhost',
  rpName: 'portal',
  origins: ['http://localhost:3000'],
  challenges: createChallenges([randomBytes(32)])
}
const userId = '01890a5d-ac96-774b-bcce-b302099a8057'
const user = { id: Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url') }
const options = { rp: { id: 'localhost' }, user, rpId: 'localhost', challenge: 'challenge' }
const text = (bytes: Buffer) => bytes.toString('base64url')

t.test('no encoding of a new passkey makes the portal fail', async (t) => {
  const authData: Cbor[] = ['text', 7, [], ones(36), ones(37), Buffer.alloc(37, 255), ones(5000)]
  const wrong = [
    ...Object.entries(wrongKeys).map(([name, publicKey]) => ({ name, publicKey })),
    ...Object.entries(huge).map(([name, attestationObject]) => ({ name, attestationObject })),
    ...authData.map((each, n) => ({
      name: `authData ${n}`,
      attestationObject: cbor(
        new Map<string, Cbor>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', each]
        ])
      )
    }))
  ]
  t.ok(await verifyCredential(rules, createPasskey(options).credential))
  const accepted = []
  for (const { name, ...knobs } of wrong) {
    const { credential } = createPasskey(options, knobs)
    if (await verifyCredential(rules, credential)) accepted.push(name)
  }
  t.same(accepted, [])

  const caller = await aCaller(app)
  const { response } = await tryToAdd(caller, { publicKey: wrongKeys['an Ed448 key'] ?? ones(1) })
  t.match(response.json(), invalid)
  for (const length of [0, 1024, 2000]) {
    const { response } = await tryToAdd(caller, { id: randomBytes(length) })
    t.equal(response.statusCode, 400, `an id of ${length} bytes`)
  }
  const large = await tryToAdd(caller, { attestationObject: ones(16_384) })
  t.equal(large.response.statusCode, 413)
  await withPasskey(t, caller, { id: randomBytes(1023) })
})

t.test('no encoding of an assertion makes the portal fail', async (t) => {
  const { passkey } = await withPasskey(t, await aCaller(app))
  const credential = answer(passkey, await signInOptions(app))
  const rpIdHash = sha256('localhost')
  const withFlags = (flags: number, rest: Buffer) =>
    Buffer.concat([rpIdHash, Buffer.of(flags, 0, 0, 0, 0), rest])
  const hostile = Object.values(huge).flatMap((bytes) => [
    { authenticatorData: text(bytes) },
    { authenticatorData: text(withFlags(0x85, bytes)) },
    { authenticatorData: text(withFlags(0x45, Buffer.concat([ones(18), bytes]))) },
    { signature: text(bytes) },
    { userHandle: text(bytes.subarray(0, 60)) }
  ])
  const own = createPasskey(options)
  const assertion = answer(own.passkey, options)
  const stored = { userId, publicKey: own.passkey.publicKey }
  const verify = (change: object) =>
    verifyAssertion(rules, {
      credential: { ...assertion, response: { ...assertion.response, ...change } },
      passkey: stored,
      isNamed: true
    })
  t.ok(await verify({}))
  const accepted = []
  for (const change of hostile) if (await verify(change)) accepted.push(change)
  t.same(accepted, [])

  const changes = [
    ...['null', '7', '{', '{}', '{"challenge":7}', '{"__proto__":{"challenge":"x"}}'].map(
      (json) => ({ clientDataJSON: text(Buffer.from(json)) })
    ),
    { clientDataJSON: text(Buffer.of(0xff, 0xfe)) },
    { clientDataJSON: 'not base64url!' },
    { authenticatorData: text(ones(9)) },
    { signature: '' },
    { userHandle: 7 },
    { authenticatorData: null }
  ]
  for (const change of changes) {
    const response = await send(app, {
      ...credential,
      response: { ...credential.response, ...change }
    })
    t.ok(isRefused(response), `${JSON.stringify(change).slice(0, 60)}: ${response.statusCode}`)
  }
  for (const change of [{ id: 'AAAA' }, { rawId: 'AAAA' }, { type: 'password' }, { response: 7 }]) {
    t.ok(isRefused(await send(app, { ...credential, ...change })), JSON.stringify(change))
  }
  t.equal((await send(app, { ...credential, x: 'x'.repeat(4096) })).statusCode, 413)
  const members = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`m${i}`, i]))
  t.equal((await send(app, { ...credential, ...members })).statusCode, 400)
  t.equal((await send(app, credential)).statusCode, 200, 'the same without a change')
})

t.test('random changes of valid responses are judged without an error', async (t) => {
  const { credential, passkey } = createPasskey(options)
  const assertion = answer(passkey, options)
  const stored = { userId, publicKey: passkey.publicKey }
  const change = (encoded: string) => {
    const bytes = Buffer.from(encoded, 'base64url')
    for (let i = 0; i < 3; i++) {
      bytes[randomBytes(2).readUInt16BE() % bytes.length] = randomBytes(1)[0] ?? 0
    }
    return bytes.toString('base64url')
  }
  const misjudged = []
  for (let i = 0; i < 100; i++) {
    const attestationObject = change(credential.response.attestationObject)
    const response = { ...credential.response, attestationObject }
    await verifyCredential(rules, { ...credential, response })
    const authenticatorData = change(assertion.response.authenticatorData)
    const verified = await verifyAssertion(rules, {
      credential: { ...assertion, response: { ...assertion.response, authenticatorData } },
      passkey: stored,
      isNamed: true
    })
    const isSame = authenticatorData === assertion.response.authenticatorData
    if ((verified !== undefined) !== isSame) misjudged.push(authenticatorData)
  }
  t.same(misjudged, [])
})
