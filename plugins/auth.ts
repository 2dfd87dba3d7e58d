import fp from 'fastify-plugin'
import { createPrincipalCache } from '../src/domain/sessions/principals.ts'
import type { SessionToken } from '../src/domain/sessions/sessions.ts'
import { createAuthentication, requirePrincipal } from '../src/http/authentication.ts'
import type { SignedIn, TokenProblem } from '../src/http/authentication.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Puts the principal on the request, or calls back with a refusal. */
    authenticate(request: FastifyRequest, done: (error?: Error) => void): void
    /** The same for a request that is not a use of the session. */
    authenticateUnseen: FastifyInstance['authenticate']
    /**
     * The number of principals read from the database since the start, first and repeated reads.
     */
    principalsLoaded(): number
  }
  interface FastifyRequest {
    /** The signed-in user. Null before authentication, and when nobody is signed in. */
    principal: SignedIn | null
    /** The session of a signed-in request. Throws on a route whose policy does not require one. */
    session: SignedIn['session']
    tokenProblem: TokenProblem | null
    /**
     * The tokens of all session cookies in the request, active or not. Login replaces these
     * sessions, and logout ends them.
     */
    presentedTokens(): SessionToken[]
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: SignedIn['user']
  }
}

export default fp(
  async (app) => {
    const { SESSION_IDLE_SECONDS: idleSeconds } = app.config
    const { sessionTokens: tokens, markSeen } = app
    let loaded = 0
    const count = (principals: number) => {
      loaded += principals
    }
    const findPrincipal = createPrincipalCache(
      app.database.checkDb,
      app.snapshots,
      app.areUserTagsCurrent,
      idleSeconds,
      count
    )
    app.decorate('principalsLoaded', () => loaded)
    app.decorateRequest('principal', null)
    app.decorateRequest('tokenProblem', null)
    app.decorateRequest('user', {
      getter() {
        return requirePrincipal(this).user
      }
    })
    app.decorateRequest('session', {
      getter() {
        return requirePrincipal(this).session
      }
    })
    app.decorateRequest('presentedTokens', function () {
      return tokens.verifyAll(this.sessionCookies())
    })
    const parts = { tokens, findPrincipal, idleSeconds }
    app.decorate('authenticate', createAuthentication({ ...parts, markSeen }))
    app.decorate('authenticateUnseen', createAuthentication(parts))
  },
  { name: 'auth', dependencies: ['config', 'cookie', 'db', 'freshness', 'jwt', 'last-seen'] }
)
