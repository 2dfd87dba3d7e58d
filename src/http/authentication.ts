import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '../domain/errors.ts'
import type { createLastSeen } from '../domain/sessions/last-seen.ts'
import type { createPrincipalCache, Principal } from '../domain/sessions/principals.ts'
import { idleExpiry } from '../domain/sessions/sessions.ts'
import type { SessionTokens } from '../domain/sessions/signed-tokens.ts'

export interface SignedIn {
  user: Principal['user']
  session: Principal['session'] & { idleExpiresAt: Date }
  /** The hash of the secret that came with the request, in hexadecimal. */
  tokenHash: string
  /** The time of this state by the clock of the database, in milliseconds. */
  now: number
  /** Undefined for an operator, who has no roles. */
  kept: Principal['kept'] | undefined
}

/** The reason why a session cookie was rejected without a look-up. */
export type TokenProblem = 'invalid-token' | 'several-cookies'

/** The parts of a request that authentication reads and sets. */
export interface Authenticated {
  sessionCookies(): string[]
  principal: SignedIn | null
  tokenProblem: TokenProblem | null
}

interface Parts {
  tokens: Pick<SessionTokens, 'verify'>
  findPrincipal: ReturnType<typeof createPrincipalCache>
  markSeen: ReturnType<typeof createLastSeen>['mark']
  idleSeconds: number
}

/** Cookie → verified token → principal, from the current state. Calls back with a refusal. */
export function createAuthentication({ tokens, findPrincipal, markSeen, idleSeconds }: Parts) {
  return (request: Authenticated, done: (error?: Error) => void) => {
    const [cookie, ...others] = request.sessionCookies()
    // One of two cookies with one name was planted, and the portal cannot know which.
    const token = cookie !== undefined && others.length === 0 ? tokens.verify(cookie) : undefined
    if (cookie !== undefined && !token) {
      request.tokenProblem = others.length > 0 ? 'several-cookies' : 'invalid-token'
    }
    if (!token) return done(new DomainError('unauthenticated'))
    findPrincipal(token, (error, principal, now = 0) => {
      if (error instanceof Error) return done(error)
      if (!principal) return done(new DomainError('unauthenticated'))
      const { user, session, expiresAt, kept } = principal
      request.principal = {
        user,
        session: { ...session, idleExpiresAt: idleExpiry(now, expiresAt, idleSeconds) },
        tokenHash: token.tokenHash,
        now,
        kept
      }
      const written = markSeen(principal, now)
      if (written) written.then(() => done(), done)
      else done()
    })
  }
}

export function requirePrincipal({ principal }: Pick<Authenticated, 'principal'>): SignedIn {
  if (!principal) {
    throw new Error(
      'nobody is signed in, and the access policy of the route does not require it: set ' +
        "config.access to 'session' or a permission, or read request.principal, which may be null"
    )
  }
  return principal
}

/** The user for whose page a call is, as its client says. */
export const expectedHeader = 'portal-user'

interface Expecting {
  headers: IncomingHttpHeaders
  principal: { user: { id: string } } | null
}
type Done = (error?: Error) => void

/**
 * Refuses the session of another user than the client expects: a page of one user must not act on
 * the account of the next one, who has signed in with another tab. Throws nothing where nobody is
 * signed in. Not for checks, to which a proxy may pass the headers of any client.
 */
export const forExpectedUser =
  <R extends Expecting>(authenticate: (request: R, done: Done) => void) =>
  (request: R, done: Done) => {
    const expected = request.headers[expectedHeader]
    if (expected === undefined) return authenticate(request, done)
    authenticate(request, (error) =>
      done(error ?? (request.principal?.user.id === expected ? undefined : otherUser()))
    )
  }

export const otherUser = () => new DomainError('other-user')
