import Fastify from 'fastify'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { DomainError } from '../src/domain/errors.ts'
import { isAccess, requiresKey } from '../src/domain/permissions.ts'
import type { Access, KeyAccess } from '../src/domain/permissions.ts'
import { forExpectedUser } from '../src/http/authentication.ts'
import { bearerKey, keyDenied, requireKeyCaller } from '../src/http/key-authentication.ts'
import type { KeyRequest } from '../src/http/key-authentication.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** With `accept=key` in the query, an API key is admitted in place of a session. */
    acceptsKeys?: true
    /** A command of other systems, which MACHINE_LISTEN gives a door of its own. */
    door?: true
  }
}

/**
 * The only place that reads the access policy of a route. Each route gets its own access check as
 * an onRequest hook, so access never depends on a path. The checks are compiled when all routes are
 * known; until then they reject every request.
 */
export default fp(
  async (app) => {
    const compile: (() => void)[] = []
    const ownPermissions = Object.keys(app.ownApp?.definition.permissions ?? {})
    // A route that exists already would not get the hook below and would be open to everyone.
    if (app.printRoutes() !== Fastify().printRoutes()) {
      throw new Error(`routes were added before the access policy:\n${app.printRoutes()}`)
    }
    const noteToken = (request: FastifyRequest) => {
      if (request.tokenProblem) void app.noteRefusal(request, request.tokenProblem)
    }
    const eitherCheck =
      (bySession: AccessCheck<FastifyRequest>): AccessCheck<FastifyRequest> =>
      (request, done) => {
        const { accept } = request.query as { accept?: unknown }
        const secret = accept === 'key' ? bearerKey(request) : undefined
        if (secret === undefined) return bySession?.(request, done)
        if (request.sessionCookies().length > 0) return done(new DomainError('two-credentials'))
        app.authenticateKey(request, done, secret)
      }
    app.addHook('onRoute', function addAccessCheck(route) {
      let check: AccessCheck<FastifyRequest> = refuse
      function checkAccess(request: FastifyRequest, _reply: FastifyReply, done: () => void) {
        return check ? check(request, done) : done()
      }
      route.onRequest = [checkAccess, ...[route.onRequest ?? []].flat()]
      compile.push(() => {
        assertDeclared(route, ownPermissions)
        const { access, acceptsKeys } = route.config ?? {}
        if (requiresKey(access)) {
          check = keyAccessCheckFor(access, app.authenticateKey)
          return
        }
        const { authenticate } = app
        check = acceptsKeys
          ? eitherCheck(accessCheckFor(access, authenticate, noteToken))
          : accessCheckFor(access, forExpectedUser(authenticate), noteToken)
      })
    })
    app.addHook('onReady', async function compileAccessChecks() {
      for (const each of compile) each()
    })
  },
  { name: 'permissions', dependencies: ['auth', 'keys', 'refusals'] }
)

type Done = (error?: Error) => void

/** Admits a request, or calls back with a refusal. Undefined admits every request. */
type AccessCheck<R> = ((request: R, done: Done) => void) | undefined

const refuse = (_request: unknown, done: Done) => done(new DomainError('permission-denied'))

/**
 * The access check of a route with this policy. Without a policy it rejects every request.
 * @param onAnonymous called with a request that is admitted although it was not authenticated
 */
export function accessCheckFor<R extends { user: { permissions: string[] } }>(
  access: Exclude<Access, KeyAccess> | undefined,
  authenticate: (request: R, done: Done) => void,
  onAnonymous: (request: R) => void
): AccessCheck<R> {
  if (access === 'public') return undefined
  if (access === 'session') return authenticate
  if (access === 'optional') {
    return (request, done) =>
      authenticate(request, (error) => {
        if (!isUnauthenticated(error)) return done(error)
        onAnonymous(request)
        done()
      })
  }
  if (access === undefined) return refuse
  const { permission } = access
  return (request, done) =>
    authenticate(request, (error) =>
      done(
        error ??
          (request.user.permissions.includes(permission)
            ? undefined
            : new DomainError('permission-denied', { details: { permission } }))
      )
    )
}

/** Checks a route for API keys, which reads no cookie. */
function keyAccessCheckFor<R extends KeyRequest>(
  access: KeyAccess,
  authenticateKey: (request: R, done: Done) => void
): AccessCheck<R> {
  if (access === 'key') return authenticateKey
  const { key: permission } = access
  return (request, done) =>
    authenticateKey(request, (error) => {
      if (error) return done(error)
      const caller = requireKeyCaller(request)
      done(caller.permissions.includes(permission) ? undefined : keyDenied(caller, permission))
    })
}

const isUnauthenticated = (error: Error | undefined) =>
  error !== undefined && 'code' in error && error.code === 'unauthenticated'

/** Throws for a route without a valid access policy or without a response schema. */
function assertDeclared(
  { method, url, config, schema }: RouteOptions,
  ownPermissions: readonly string[]
) {
  const access: unknown = config?.access
  if (typeof access === 'object' && access !== null && !isAccess(access, ownPermissions)) {
    throw new Error(
      `${method} ${url} requires an unknown permission, ${JSON.stringify(access)}: ` +
        'add it to systemPermissions in src/domain/permissions.ts, or to the permissions of the app'
    )
  }
  if (!isAccess(access, ownPermissions)) {
    throw new Error(`${method} ${url} declares no access policy: set config.access`)
  }
  if (requiresKey(access) !== url.startsWith('/api/machine/')) {
    throw new Error(`${method} ${url}: routes for API keys, and no others, are in /api/machine`)
  }
  if (!schema?.response) throw new Error(`${method} ${url} declares no response schema`)
}
