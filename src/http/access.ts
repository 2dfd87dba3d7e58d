import type { RouteOptions } from 'fastify'
import { permissionDenied } from '../domain/errors.ts'
import { isAccess, requiresKey } from '../domain/permissions.ts'
import type { Access, KeyAccess } from '../domain/permissions.ts'
import { keyDenied, requireKeyCaller } from './key-authentication.ts'
import type { KeyRequest } from './key-authentication.ts'

type Done = (error?: Error) => void

/** Admits a request, or calls back with a refusal. Undefined admits every request. */
export type Gate<R> = ((request: R, done: Done) => void) | undefined

export const refuse = (_request: unknown, done: Done) => done(permissionDenied())

/**
 * The gate of a route with this policy. Without a policy it rejects every request.
 * @param onAnonymous called with a request that is admitted although it was not authenticated
 */
export function gateFor<R extends { user: { permissions: string[] } }>(
  access: Exclude<Access, KeyAccess> | undefined,
  authenticate: (request: R, done: Done) => void,
  onAnonymous: (request: R) => void
): Gate<R> {
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
          (request.user.permissions.includes(permission) ? undefined : permissionDenied(permission))
      )
    )
}

/** The same for a route for API keys: it reads no cookie. */
export function keyGateFor<R extends KeyRequest>(
  access: KeyAccess,
  authenticateKey: (request: R, done: Done) => void
): Gate<R> {
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
export function assertDeclared({ method, url, config, schema }: RouteOptions) {
  const access: unknown = config?.access
  if (typeof access === 'object' && access !== null && !isAccess(access)) {
    throw new Error(
      `${method} ${url} requires an unknown permission, ${JSON.stringify(access)}: ` +
        'add it to systemPermissions in src/domain/permissions.ts'
    )
  }
  if (!isAccess(access)) {
    throw new Error(`${method} ${url} declares no access policy: set config.access`)
  }
  if (requiresKey(access) !== url.startsWith('/api/machine/')) {
    throw new Error(`${method} ${url}: routes for API keys, and no others, are in /api/machine`)
  }
  if (config?.polled && ![method].flat().every((each) => each === 'GET' || each === 'HEAD')) {
    throw new Error(`${method} ${url} is not GET, so each request is a use of the session`)
  }
  if (!schema?.response) throw new Error(`${method} ${url} declares no response schema`)
}
