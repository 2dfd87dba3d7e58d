import jwt from '@fastify/jwt'
import fp from 'fastify-plugin'
import { signingKey } from '../src/config/keys.ts'
import { environment } from '../src/config/variables.ts'
import { createSessionTokens } from '../src/domain/sessions/signed-tokens.ts'
import type { SessionTokens } from '../src/domain/sessions/signed-tokens.ts'
import { jwtOptions } from '../src/http/jwt.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sessionTokens: SessionTokens
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    namespaces: string
  }
}

export default fp(
  async (app) => {
    const { SECRET_KEYS: keys, PUBLIC_ORIGIN: issuer } = app.config
    for (const key of keys) await app.register(jwt, jwtOptions(key, issuer))
    const signer = app.jwt[signingKey(keys).kid]
    if (!signer) throw new Error('no key to sign with')
    app.decorate(
      'sessionTokens',
      createSessionTokens({
        issuer,
        kids: keys.map(({ kid }) => kid),
        longestSeconds: environment.properties.SESSION_ABSOLUTE_SECONDS.maximum ?? 0,
        sign: (claims) => signer.sign(claims),
        headerOf: (token) => signer.decode<{ header: object }>(token)?.header,
        verify: (kid, token) => app.jwt[kid]?.verify(token)
      })
    )
  },
  { name: 'jwt', dependencies: ['config'] }
)
