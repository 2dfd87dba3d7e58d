import jwt from '@fastify/jwt'
import fp from 'fastify-plugin'
import { deriveSigningPair } from '../src/config/keys.ts'
import type { SigningPair } from '../src/config/keys.ts'
import type { AssertionClaims } from '../src/domain/sessions/assertions.ts'
import { assertionNamespace, assertionOptions } from '../src/http/jwt.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signAssertion(claims: AssertionClaims): string
    /** The public keys of assertions as JSON Web Keys (RFC 7517), one for each secret key. */
    assertionKeys(): ReturnType<typeof publicKeyOf>[]
  }
}

const publicKeyOf = ({ kid, publicJwk }: SigningPair & { kid: string }) =>
  ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' }) as const

/** Signed statements that tell services who is calling. */
export default fp(
  async (app) => {
    const { SECRET_KEYS: keys } = app.config
    const pairs = keys.map((key) => ({ kid: key.kid, ...deriveSigningPair(key) }))
    const [first] = pairs
    if (!first) throw new Error('no key to sign with')
    await app.register(jwt, assertionOptions(first.kid, first))
    const signer = app.jwt[assertionNamespace(first.kid)]
    if (!signer) throw new Error('the signer of assertions was not registered')
    app.decorate('signAssertion', (claims) => signer.sign(claims))
    const published = pairs.map(publicKeyOf)
    app.decorate('assertionKeys', () => published)
  },
  { name: 'assertions', dependencies: ['config', 'jwt'] }
)
