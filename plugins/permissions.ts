import type { FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { permissionDenied } from '../src/domain/errors.ts'
import { isAccess } from '../src/domain/permissions.ts'
import type { Access } from '../src/domain/permissions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. There is no default: a route without it stops the boot. */
    access?: Access
  }
}

/** Undefined lets everybody in. */
type Gate = ((request: FastifyRequest, done: (error?: Error) => void) => void) | undefined

/**
 * The one place that reads a route's access policy. Each route gets its gate as its own onRequest hook, so that no path
 * decides anything; the gates are compiled when all routes are known, and until then they refuse.
 */
export default fp(
  async (app) => {
    const compile: (() => void)[] = []
    // A route that is already there would never meet the hook below, and be open to all.
    if (app.printRoutes() !== '(empty tree)') {
      throw new Error(`routes were added before the access policy:\n${app.printRoutes()}`)
    }

    app.addHook('onRoute', (route) => {
      let gate: Gate = refuse
      route.onRequest = [
        (request, _reply, done) => (gate ? gate(request, done) : done()),
        ...[route.onRequest ?? []].flat()
      ]
      compile.push(() => {
        assertDeclared(route)
        gate = gateFor(route.config?.access)
      })
    })
    app.addHook('onReady', async () => {
      for (const each of compile) each()
    })

    function gateFor(access: Access | undefined): Gate {
      if (access === 'public') return undefined
      if (access === 'session') return app.authenticate
      if (access === 'optional') {
        return (request, done) =>
          app.authenticate(request, (error) => done(isUnauthenticated(error) ? undefined : error))
      }
      if (access === undefined) return refuse
      const { permission } = access
      return (request, done) =>
        app.authenticate(request, (error) =>
          done(
            error ??
              (request.user.permissions.includes(permission) ? undefined : permissionDenied())
          )
        )
    }
  },
  { name: 'permissions', dependencies: ['auth'] }
)

const refuse: Gate = (_request, done) => done(permissionDenied())

const isUnauthenticated = (error: Error | undefined) =>
  error !== undefined && 'code' in error && error.code === 'unauthenticated'

function assertDeclared({ method, url, config, schema }: RouteOptions) {
  if (!isAccess(config?.access)) {
    throw new Error(`${method} ${url} declares no access policy: set config.access`)
  }
  if (!schema?.response) throw new Error(`${method} ${url} declares no response schema`)
}
