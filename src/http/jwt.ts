import type { FastifyJWTOptions } from '@fastify/jwt'
import { subKey } from '../config/keys.ts'
import type { Key } from '../config/keys.ts'
import { audience, tokenType } from '../domain/sessions/tokens.ts'

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
