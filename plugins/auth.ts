import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { unauthenticated } from '../src/domain/errors.ts'
import { principalReader } from '../src/domain/sessions.ts'
import type { Principal, SessionRules, SessionToken } from '../src/domain/sessions.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sessionRules: SessionRules
    /** Puts the principal on the request, or throws `unauthenticated`. */
    authenticate (request: FastifyRequest): Promise<void>
  }
  interface FastifyRequest {
    /** Who is signed in; null before authentication and for nobody. */
    principal: Principal | null
    /** The session of a signed-in request. Throws where the route did not ask for one. */
    session: Principal['session']
    /** What was wrong with the session cookie, when there was one and it was none of ours. */
    tokenProblem: 'invalid-token' | 'several-cookies' | null
    /** The verified tokens that came with the request, live sessions or not: what login replaces and logout ends. */
    presentedTokens (): SessionToken[]
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT { user: Principal['user'] }
}

/** Cookie → verified token → principal. Every request is judged by what the database says now. */
export default fp(async (app) => {
  const { config } = app
  app.decorate('sessionRules', {
    idleSeconds: config.SESSION_IDLE_SECONDS,
    absoluteSeconds: config.SESSION_ABSOLUTE_SECONDS,
    maxPerUser: config.SESSION_MAX_PER_USER
  })
  const readPrincipal = principalReader(app.db, app.sessionRules)

  app.decorateRequest('principal', null)
  app.decorateRequest('tokenProblem', null)
  app.decorateRequest('user', { getter () { return required(this).user } })
  app.decorateRequest('session', { getter () { return required(this).session } })
  app.decorateRequest('presentedTokens', function (this: FastifyRequest) {
    return this.sessionCookies().flatMap((value) => app.sessionTokens.verify(value) ?? [])
  })

  app.decorate('authenticate', async (request) => {
    const [cookie, ...others] = request.sessionCookies()
    // Two cookies of one name: one was planted, and which is not for us to guess.
    const token = cookie !== undefined && others.length === 0 ? app.sessionTokens.verify(cookie) : undefined
    if (cookie !== undefined && !token) request.tokenProblem = others.length > 0 ? 'several-cookies' : 'invalid-token'
    const principal = token && await readPrincipal(token)
    if (!principal) throw unauthenticated()
    await app.markSeen(principal)
    request.principal = principal
  })
}, { name: 'auth', dependencies: ['config', 'cookie', 'db', 'jwt', 'last-seen'] })

function required ({ principal }: FastifyRequest) {
  if (!principal) throw new Error('the route reads a principal that its access policy does not ask for')
  return principal
}
