import fp from 'fastify-plugin'
import { DomainError } from '../src/domain/errors.ts'
import { systemPermissionKeys } from '../src/domain/permissions.ts'
import { createPrincipalCache } from '../src/domain/sessions/principals.ts'
import type { SessionToken } from '../src/domain/sessions/sessions.ts'
import { createAuthentication, requirePrincipal } from '../src/http/authentication.ts'
import type { SignedIn, TokenProblem } from '../src/http/authentication.ts'
import type { Operator } from '../src/http/operator.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Puts the principal on the request, or calls back with a refusal. */
    authenticate(request: FastifyRequest, done: (error?: Error) => void): void
    /**
     * The number of principals read from the database since the start, first and repeated reads.
     */
    principalsLoaded(): number
  }
  interface FastifyRequest {
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
    if (app.operator) {
      const own = Object.keys(app.ownApp?.definition.permissions ?? {})
      app.decorate('authenticate', createOperatorAuthentication(app.operator, own))
      return
    }
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
    app.decorateRequest('presentedTokens', function () {
      return tokens.verifyAll(this.sessionCookies())
    })
    app.decorate(
      'authenticate',
      createAuthentication({ tokens, findPrincipal, idleSeconds, markSeen })
    )
  },
  { name: 'auth', dependencies: ['config', 'cookie', 'db', 'freshness', 'jwt', 'last-seen'] }
)

interface Authenticated {
  headers: { authorization?: string | undefined }
  principal: SignedIn | null
}

/**
 * Bearer token → operator. There is no cookie: browsers send those to every server on this machine,
 * whatever its port.
 */
function createOperatorAuthentication(operator: Operator, own: string[]) {
  const principal = principalOf(operator, own)
  return (request: Authenticated, done: (error?: Error) => void) => {
    const [, token] = /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined || !operator.access.isToken(token)) {
      return done(new DomainError('console-ended'))
    }
    operator.onSeen()
    request.principal = principal
    done()
  }
}

/** No user has this id. It never changes, because cursors of lists contain it. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** The operator in the form of a signed-in user, with the rights of the command line. */
function principalOf({ actor, machine }: Operator, own: string[]): SignedIn {
  const now = new Date()
  const time = now.toISOString()
  return {
    user: {
      id: nobody,
      email: machine,
      emailVerified: true,
      name: actor.label,
      theme: 'system',
      status: 'active',
      roles: [],
      suspendedRoles: [],
      permissions: [...systemPermissionKeys, ...own],
      createdAt: time,
      updatedAt: time
    },
    session: {
      id: nobody,
      userId: nobody,
      createdAt: time,
      expiresAt: time,
      idleExpiresAt: now,
      authenticatedAt: time,
      assurance: 2,
      amr: []
    },
    tokenHash: '',
    now: now.getTime(),
    kept: undefined
  }
}
