import jwt from '@fastify/jwt'
import fp from 'fastify-plugin'
import { deriveSigningPair, signingKey } from '../src/config/keys.ts'
import type { AssertionClaims } from '../src/domain/sessions/assertions.ts'
import { assertionNamespace, assertionOptions } from '../src/http/jwt.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signAssertion(claims: AssertionClaims): string
    /** The public keys of assertions as JSON Web Keys (RFC 7517), one for each secret key. */
    assertionKeys(): PublicKey[]
  }
}

interface PublicKey {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  kid: string
  alg: 'ES256'
  use: 'sig'
}

/** Signed statements for services about who asks. */
export default fp(
  async (app) => {
    const { SECRET_KEYS: keys } = app.config
    const key = signingKey(keys)
    await app.register(jwt, assertionOptions(key))
    const signer = app.jwt[assertionNamespace(key.kid)]
    if (!signer) throw new Error('no key to sign with')
    app.decorate('signAssertion', (claims) => signer.sign(claims))
    const published = keys.map((each): PublicKey => {
      const { publicJwk } = deriveSigningPair(each)
      return { ...publicJwk, kid: each.kid, alg: 'ES256', use: 'sig' }
    })
    app.decorate('assertionKeys', () => published)
  },
  { name: 'assertions', dependencies: ['config', 'jwt'] }
)
