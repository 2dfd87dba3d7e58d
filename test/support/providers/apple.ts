import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { Test } from 'tap'
import { newKey } from '../../../src/dev-provider/provider.ts'
import { createCodes } from './codes.ts'
import { json, serve } from './loopback.ts'
import { publicPart, signToken } from './tokens.ts'

/**
 * A stand-in for Apple: the client secret is a token that the client signs, the response is posted,
 * `email_verified` is a text, and the name comes once, beside the code and unsigned.
 */
export async function startApple(t: Pick<Test, 'teardown'>) {
  const codes = createCodes()
  const key = await newKey()
  const client = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const told = new Set<unknown>()
  const state = {
    issuer: '',
    clientId: 'com.example.portal',
    teamId: 'TEAM123456',
    keyId: 'KEY1234567',
    privateKey: String(client.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    claims: {
      sub: '001234.aabbccddeeff.0001',
      email: 'nora.field@example.com',
      email_verified: 'true'
    } as Record<string, unknown>,
    name: { firstName: 'Nora', lastName: 'Field' }
  }
  const origin = await serve(t, async (received) => {
    const { url, form } = received
    if (url.pathname === '/.well-known/openid-configuration') {
      return json({
        issuer: state.issuer,
        authorization_endpoint: `${state.issuer}/auth/authorize`,
        token_endpoint: `${state.issuer}/auth/token`,
        jwks_uri: `${state.issuer}/auth/keys`,
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'fragment', 'form_post'],
        subject_types_supported: ['pairwise'],
        id_token_signing_alg_values_supported: ['ES256'],
        token_endpoint_auth_methods_supported: ['client_secret_post']
      })
    }
    if (url.pathname === '/auth/keys') return json({ keys: [publicPart(key)] })
    if (url.pathname === '/auth/authorize') {
      if (url.searchParams.get('response_mode') !== 'form_post') {
        return json({ error: 'invalid_request' }, 400) // as always with the scopes name or email
      }
      const { sub, email } = state.claims
      if (told.has(sub)) return codes.authorize(received)
      told.add(sub)
      return codes.authorize(received, { user: JSON.stringify({ name: state.name, email }) })
    }
    if (url.pathname !== '/auth/token') return json({ error: 'not_found' }, 404)
    if (!(await isSecret(form.get('client_secret') ?? '', client.publicKey))) {
      return json({ error: 'invalid_client' }, 400)
    }
    const query = codes.redeem(form)
    if (!query) return json({ error: 'invalid_grant' }, 400)
    const now = Math.floor(Date.now() / 1000)
    const nonce = query.get('nonce')
    const claims = {
      iss: state.issuer,
      aud: state.clientId,
      iat: now,
      exp: now + 86_400,
      ...(nonce !== null && { nonce, nonce_supported: true }),
      ...state.claims
    }
    const idToken = await signToken({ header: { alg: 'ES256', kid: key.kid }, claims }, key)
    const accessToken = randomUUID()
    return json({ access_token: accessToken, token_type: 'Bearer', id_token: idToken })
  })
  async function isSecret(jwt: string, publicKey: KeyObject) {
    try {
      const { payload, protectedHeader } = await jwtVerify(jwt, publicKey, {
        issuer: state.teamId,
        subject: state.clientId,
        audience: state.issuer,
        algorithms: ['ES256'],
        requiredClaims: ['iat', 'exp']
      })
      const life = Number(payload.exp) - Number(payload.iat)
      return protectedHeader.kid === state.keyId && life > 0 && life <= 15_777_000
    } catch {
      return false
    }
  }
  state.issuer = origin
  return state
}
