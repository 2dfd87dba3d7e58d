import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { unauthenticated } from '../src/domain/errors.ts'
import { createPrincipalCache } from '../src/domain/sessions/principals.ts'
import type { Principal } from '../src/domain/sessions/principals.ts'
import { idleExpiry } from '../src/domain/sessions/sessions.ts'

type CurrentSession = Principal['session'] & { idleExpiresAt: Date }

declare module 'fastify' {
  interface FastifyInstance {
    /** Puts the principal on the request, or calls back with a refusal. */
    authenticate(request: FastifyRequest, done: (error?: Error) => void): void
    /** Since the start: principals read from the database, for the first time or again. */
    principalsLoaded(): number
  }
  interface FastifyRequest {
    /** Who is signed in; null before authentication and for nobody. */
    principal: { user: Principal['user']; session: CurrentSession } | null
    /** The session of a signed-in request. Throws where the route did not ask for one. */
    session: CurrentSession
    /** What was wrong with the session cookie, when there was one and it was none of ours. */
    tokenProblem: 'invalid-token' | 'several-cookies' | null
    /** The token hashes of the sessions that came with the request, live or not: what login replaces and logout ends. */
    presentedSessions(): Uint8Array[]
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: Principal['user']
  }
}

/** Cookie → verified token → principal. Every request is judged by what the database says now. */
export default fp(
  async (app) => {
    const { config } = app
    let loaded = 0
    const findPrincipal = createPrincipalCache(
      app.database.checkDb,
      app.snapshots,
      config.SESSION_IDLE_SECONDS,
      (count) => {
        loaded += count
      }
    )
    app.decorate('principalsLoaded', () => loaded)

    app.decorateRequest('principal', null)
    app.decorateRequest('tokenProblem', null)
    app.decorateRequest('user', {
      getter() {
        return required(this).user
      }
    })
    app.decorateRequest('session', {
      getter() {
        return required(this).session
      }
    })
    app.decorateRequest('presentedSessions', function (this: FastifyRequest) {
      return this.sessionCookies()
        .flatMap((value) => app.sessionTokens.verify(value) ?? [])
        .map(({ tokenHash }) => Buffer.from(tokenHash, 'hex'))
    })

    app.decorate('authenticate', (request, done) => {
      const [cookie, ...others] = request.sessionCookies()
      // Two cookies of one name: one was planted, and which is not for us to guess.
      const token =
        cookie !== undefined && others.length === 0 ? app.sessionTokens.verify(cookie) : undefined
      if (cookie !== undefined && !token) {
        request.tokenProblem = others.length > 0 ? 'several-cookies' : 'invalid-token'
      }
      if (!token) return done(unauthenticated())
      findPrincipal(token, (error, principal, now = 0) => {
        if (error instanceof Error) return done(error)
        if (!principal) return done(unauthenticated())
        const { user, session } = principal
        request.principal = {
          user,
          session: {
            ...session,
            idleExpiresAt: idleExpiry(now, principal.expiresAt, config.SESSION_IDLE_SECONDS)
          }
        }
        const written = app.markSeen(principal, now)
        if (written) written.then(() => done(), done)
        else done()
      })
    })
  },
  { name: 'auth', dependencies: ['config', 'cookie', 'db', 'freshness', 'jwt', 'last-seen'] }
)

function required({ principal }: FastifyRequest) {
  if (!principal) {
    throw new Error('the route reads a principal that its access policy does not ask for')
  }
  return principal
}
