import Fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { scopeForm } from '../db/schema/scopes.ts'
import { DomainError, invalidFields } from '../src/domain/errors.ts'
import {
  isAccess,
  missingSource,
  permissionOf,
  requiresKey,
  scopeSourceOf
} from '../src/domain/permissions.ts'
import type { Access, KeyAccess, ScopeSource } from '../src/domain/permissions.ts'
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
        const forExpected = forExpectedUser(authenticate)
        const source = scopeSourceOf(access)
        check = acceptsKeys
          ? eitherCheck(accessCheckFor(access, authenticate, noteToken))
          : source === undefined
            ? accessCheckFor(access, forExpected, noteToken)
            : scopedCheckFor(source, permissionOf(access), forExpected, app.rightsIn)
      })
    })
    app.addHook('onReady', async function compileAccessChecks() {
      for (const each of compile) each()
    })
  },
  { name: 'permissions', dependencies: ['auth', 'keys', 'refusals', 'scopes'] }
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

/**
 * Like accessCheckFor, for a permission that a role in a scope can give as well. A scope in which
 * the user has no role is refused like one that does not exist, after the same work.
 */
export function scopedCheckFor<R extends ScopedRequest>(
  source: ScopeSource,
  permission: string | undefined,
  authenticate: (request: R, done: Done) => void,
  rightsIn: (request: R, scope: string) => ReturnType<FastifyInstance['rightsIn']>
): AccessCheck<R> {
  const [part = '', name = ''] = source.split('.')
  const judge = async (request: R) => {
    const scope = (request[part as 'params' | 'query'] as Record<string, unknown>)[name]
    if (!isScope(scope)) throw malformedScope(`/${part === 'params' ? 'path' : part}/${name}`)
    const has = (permissions: readonly string[]) => permissions.some((each) => each === permission)
    if (has(request.user.permissions)) return
    const { permissions, isMember } = await rightsIn(request, scope)
    if (!isMember) throw new DomainError('scope-not-found')
    if (!has(permissions)) throw new DomainError('permission-denied', { details: { permission } })
  }
  return (request, done) =>
    authenticate(request, (error) => {
      if (error) return done(error)
      judge(request).then(() => done(), done)
    })
}

const isScope = (value: unknown): value is string =>
  typeof value === 'string' && scopeForm.test(value)

const malformedScope = (pointer: string) =>
  invalidFields({
    pointer,
    code: 'malformed',
    message:
      'Must be one scope like org:42: a kind in lowercase letters, a colon, and at most 60 ' +
      'letters, digits, hyphens and underscores'
  })

interface ScopedRequest {
  params: unknown
  query: unknown
  user: { permissions: string[] }
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
  const missing = missingSource(url, access)
  if (missing) {
    throw new Error(`${method} ${url} names a scope by ${missing}, which its path does not have`)
  }
  if (requiresKey(access) !== url.startsWith('/api/machine/')) {
    throw new Error(`${method} ${url}: routes for API keys, and no others, are in /api/machine`)
  }
  if (!schema?.response) throw new Error(`${method} ${url} declares no response schema`)
}
