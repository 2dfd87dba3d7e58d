import jwt from '@fastify/jwt'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import fp from 'fastify-plugin'
import { uuidForm } from '../db/schema/columns.ts'
import { environment } from '../src/config/variables.ts'
import { hashSecret } from '../src/domain/sessions/sessions.ts'
import type { SessionToken } from '../src/domain/sessions/sessions.ts'
import { signingKey, subKey } from '../src/config/keys.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sessionTokens: {
      sign(session: { userId: string; createdAt: Date; expiresAt: Date }, secret: string): string
      /** Undefined for everything that is not exactly a token of this portal. Expiry is not judged here but by the database's clock. */
      verify(token: string): SessionToken | undefined
    }
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    namespaces: string
  }
}

const audience = 'portal-api'
const type = 'portal-session+jwt'
const maxLength = 1400
/**
 * Seconds from iat to exp: what any configuration allows. Not this process's own setting, which another instance may not have
 * yet in a rolling restart. When a session ends is decided by its row (`expires_at`).
 */
const longest = environment.properties.SESSION_ABSOLUTE_SECONDS.maximum ?? 0
/** Tokens whose signature need not be checked again; beyond it the oldest is. */
const remembered = 65_536
/** Three parts and nothing around them: the library tolerates whitespace (RFC 8725bis, "Check JWT Format Type"). */
const form = /^[A-Za-z0-9_-]{1,256}\.[A-Za-z0-9_-]{1,1024}\.[A-Za-z0-9_-]{43}$/

const claimsSchema = TypeCompiler.Compile(
  Type.Object(
    {
      iss: Type.String(),
      aud: Type.Literal(audience),
      sub: Type.String({ pattern: uuidForm.source }),
      jti: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
      iat: Type.Integer({ minimum: 0 }),
      exp: Type.Integer({ minimum: 0 })
    },
    { additionalProperties: false }
  )
)

/** The signed token of a session, HS256 and nothing else. One registration a key: each verifies by its own `kid` only. */
export default fp(
  async (app) => {
    const { SECRET_KEYS: keys, PUBLIC_ORIGIN: issuer } = app.config
    for (const key of keys) {
      await app.register(jwt, {
        namespace: key.kid,
        decoratorName: 'token', // the principal is `user`
        secret: subKey(key, 'jwt'),
        decode: { complete: true },
        sign: { algorithm: 'HS256', kid: key.kid, header: { alg: 'HS256', typ: type } },
        verify: {
          algorithms: ['HS256'],
          allowedIss: issuer,
          allowedAud: audience,
          requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp'],
          checkTyp: type,
          ignoreExpiration: true,
          cache: false,
          onlyCookie: true
        }
      })
    }
    const kids = new Set(keys.map((key) => key.kid))
    const signer = app.jwt[signingKey(keys).kid]
    if (!signer) throw new Error('no key to sign with')

    const check = (token: string): SessionToken | undefined => {
      if (token.length > maxLength || !form.test(token)) return undefined
      try {
        const { header } = signer.decode<{ header: { kid?: unknown } }>(token) ?? {}
        if (typeof header?.kid !== 'string' || !kids.has(header.kid)) return undefined
        const claims: unknown = app.jwt[header.kid]?.verify(token)
        if (!claimsSchema.Check(claims) || claims.exp - claims.iat > longest) return undefined
        return {
          userId: claims.sub,
          tokenHash: Buffer.from(hashSecret(claims.jti)).toString('hex')
        }
      } catch {
        return undefined // the library throws in many ways, and each means the same: this token signs nobody in
      }
    }
    /** By the exact text that was verified: a token that differs in one letter is another one, even where its signature is as good. */
    const verified = new Map<string, SessionToken>()

    app.decorate('sessionTokens', {
      sign: ({ userId, createdAt, expiresAt }, secret) =>
        signer.sign({
          iss: issuer,
          aud: audience,
          sub: userId,
          jti: secret,
          iat: epochSeconds(createdAt),
          exp: epochSeconds(expiresAt)
        }),
      verify: (token) => {
        const known = verified.get(token)
        if (known) return known
        const session = check(token)
        if (!session) return undefined
        if (verified.size >= remembered) verified.delete(verified.keys().next().value ?? '')
        verified.set(Buffer.from(token).toString(), session) // a copy: a slice would keep the whole header it was cut from
        return session
      }
    })
  },
  { name: 'jwt', dependencies: ['config'] }
)

const epochSeconds = (date: Date) => Math.floor(date.getTime() / 1000)
