import { createPublicKey } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { SignJWT, UnsecuredJWT, decodeJwt, importPKCS8 } from 'jose'
import type { JWTPayload } from 'jose'
import t from 'tap'
import { deriveSigningPair, parseKeyList, signingKey, subKey } from '../../src/config/keys.ts'
import { temporaryFolder } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { shared } from '../resilience/instances.ts'
import { ask, valuesOf } from './asking.ts'
import { example, imported } from './examples.ts'
import { filled, runHaproxy } from './proxies.ts'
import { aWorld, theProxies } from './world.ts'

const world = await aWorld(t, { ASSERTION_AUDIENCES: 'invoices,payroll' })
const ada = await world.signedInUser()
const portal = `http://127.0.0.1:${world.portals[0]}`
const issuer = shared.PUBLIC_ORIGIN

/** Returns the assertion that a service gets after the check of this portal. */
async function assertionFor(audience: string) {
  const answer = await fetch(`${portal}/api/auth/check?audience=${audience}`, {
    headers: { cookie: ada.cookie, 'x-original-method': 'GET' }
  })
  return answer.headers.get('portal-assertion') ?? ''
}

const { keys } = (await (await fetch(`${portal}/.well-known/jwks.json`)).json()) as {
  keys: [JsonWebKey]
}
const publicKey = createPublicKey({ key: keys[0], format: 'jwk' })
  .export({ type: 'spki', format: 'pem' })
  .toString()

// The receivers of docs/do/services.md.
const { claimsOf } = (await imported(
  'receiver',
  example('jwtVerify', {
    'https://portal.example.com/': `${portal}/`,
    "'https://portal.example.com'": `'${issuer}'`
  })
)) as { claimsOf(assertion: string): Promise<JWTPayload> }
const gateway = await startGateway()
const receivers: Record<string, (assertion: string) => Promise<boolean>> = {
  jose: (assertion) =>
    claimsOf(assertion).then(
      ({ sub }) => sub === ada.id,
      () => false
    ),
  HAProxy: async (assertion) => {
    const headers: [string, string][] = [['Portal-Assertion', assertion]]
    const { status, seen } = await ask(gateway, world.service.requests, { headers })
    if (status !== 200 && status !== 401) throw new Error(`HAProxy answered ${status}`)
    return seen !== undefined
  }
}

async function startGateway() {
  const port = await freePort()
  const pem = path.join(temporaryFolder(t), 'portal.pem')
  writeFileSync(pem, publicKey)
  const text = filled('deploy/assertions.cfg', {
    'bind :8081': `bind 127.0.0.1:${port}`,
    'https://portal.example.com': issuer,
    '/etc/haproxy/portal-k1.pem': pem,
    '127.0.0.1:4001': `127.0.0.1:${world.service.port}`
  })
  await runHaproxy(t, text, port)
  return port
}

const key = signingKey(parseKeyList(shared.SECRET_KEYS))
const privateKey = await importPKCS8(String(deriveSigningPair(key).private), 'ES256')
const good = decodeJwt(await assertionFor('invoices'))
const header = { alg: 'ES256', typ: 'portal-assertion+jwt', kid: key.kid }
const signed = (changes: JWTPayload, headers: Partial<typeof header> = {}) =>
  new SignJWT({ ...good, ...changes })
    .setProtectedHeader({ ...header, ...headers })
    .sign(privateKey)
const withSecret = (secret: Uint8Array) =>
  new SignJWT(good).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret)
const now = Math.floor(Date.now() / 1000)
const original = await signed({})
const [head = '', claims = '', signature = ''] = original.split('.')
const changed = Buffer.from(JSON.stringify({ ...good, sub: 'another' })).toString('base64url')
const unsigned = Buffer.from('{"alg":"none","typ":"portal-assertion+jwt"}').toString('base64url')
const [, session = ''] = ada.cookie.split('=')

const refused: Record<string, string> = {
  'for another audience': await assertionFor('payroll'),
  'of another issuer': await signed({ iss: 'https://portal.example.org' }),
  'of another type': await signed({}, { typ: 'JWT' }),
  'of the type of sessions': await signed({}, { typ: 'portal-session+jwt' }),
  'that has expired': await signed({ iat: now - 120, exp: now - 60 }),
  'without an end': await signed({ exp: undefined as never }),
  'without a signature': new UnsecuredJWT(good).encode(),
  'with the algorithm none': `${unsigned}.${claims}.`,
  'with the algorithm none and a signature': `${unsigned}.${claims}.${signature}`,
  'signed with the public key as a secret': await withSecret(Buffer.from(publicKey)),
  'signed with the key of sessions': await withSecret(subKey(key, 'jwt')),
  'with other claims': `${head}.${changed}.${signature}`,
  'with half a signature': `${head}.${claims}.${signature.slice(0, 43)}`,
  'that is a session': session,
  'that is empty': '',
  'that is no token': 'yes'
}

for (const [name, accepts] of Object.entries(receivers)) {
  t.test(`${name} accepts assertions of the portal only`, async (t) => {
    t.ok(await accepts(await assertionFor('invoices')))
    t.ok(await accepts(original), 'the cases below differ in one thing from a good one')
    for (const [kind, assertion] of Object.entries(refused)) {
      t.notOk(await accepts(assertion), `no assertion ${kind}`)
    }
  })
}

t.test('HAProxy accepts one assertion only', async (t) => {
  const headers: [string, string][] = [
    ['Portal-Assertion', original],
    ['Portal-Assertion', original]
  ]
  const answer = await ask(gateway, world.service.requests, { headers })
  t.match(answer, { status: 401, seen: undefined })
  t.match(await ask(gateway, world.service.requests), { status: 401, seen: undefined })
})

t.test('an assertion is passed on by both proxies, and is no session to them', async (t) => {
  for (const { name, port } of await theProxies(t, world, 'audience=invoices')) {
    const headers: [string, string][] = [['Portal-Assertion', 'forged']]
    const answer = await ask(port, world.service.requests, { cookie: ada.cookie, headers })
    const [assertion = '', ...others] = valuesOf(answer.seen, 'portal-assertion') ?? []
    t.same(others, [], name)
    t.match(await claimsOf(assertion), { sub: ada.id, aud: 'invoices' })
    for (const each of [assertion, original]) {
      const cookie = `${ada.cookie.split('=')[0]}=${each}`
      t.match(await ask(port, world.service.requests, { cookie }), { status: 401, seen: undefined })
    }
  }
})
