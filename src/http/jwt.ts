import type { FastifyJWTOptions } from '@fastify/jwt'
import { subKey } from '../config/keys.ts'
import type { Key, SigningPair } from '../config/keys.ts'
import { assertionType } from '../domain/sessions/assertions.ts'
import { audience, tokenType } from '../domain/sessions/signed-tokens.ts'

/**
 * Accepts HS256 only. Each key has its own registration and verifies tokens with its own `kid`
 * only.
 */
export const jwtOptions = (key: Key, issuer: string): FastifyJWTOptions => ({
  namespace: key.kid,
  decoratorName: 'token', // the principal is `user`
  secret: subKey(key, 'jwt'),
  decode: { complete: true },
  sign: { algorithm: 'HS256', kid: key.kid, header: { alg: 'HS256', typ: tokenType } },
  verify: {
    algorithms: ['HS256'],
    allowedIss: issuer,
    allowedAud: audience,
    requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp'],
    checkTyp: tokenType,
    ignoreExpiration: true,
    cache: false,
    onlyCookie: true
  }
})

export const assertionNamespace = (kid: string) => `assertion:${kid}`

/** Signs assertions with ES256, which gateways support. Nothing in the portal verifies one. */
export const assertionOptions = (kid: string, pair: SigningPair): FastifyJWTOptions => ({
  namespace: assertionNamespace(kid),
  decoratorName: assertionNamespace(kid),
  secret: { private: pair.private, public: pair.public },
  sign: { algorithm: 'ES256', kid, header: { alg: 'ES256', typ: assertionType } },
  verify: { algorithms: ['ES256'], onlyCookie: true, cache: false }
})
