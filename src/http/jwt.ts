import type { FastifyJWTOptions } from '@fastify/jwt'
import { subKey } from '../config/keys.ts'
import type { Key } from '../config/keys.ts'
import { audience, tokenType } from '../domain/sessions/tokens.ts'

/** HS256 and nothing else. Each key has a registration of its own and verifies by its own `kid` only. */
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
