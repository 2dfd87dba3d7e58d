import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  RouteOptions
} from 'fastify'
import fp from 'fastify-plugin'
import type { Access, KeyAccess } from '../domain/permissions.ts'

export type OwnCode = ReturnType<typeof createOwnCode>

/** State that the loading of an app shares with the plugins. */
export function createOwnCode(app: FastifyInstance) {
  const ownCode = {
    /** Every route so far, of the portal and of the app. */
    routes: [] as RouteOptions[],
    /** Sets the policy of the routes that a plugin of others adds now. */
    allow: undefined as ((route: RouteOptions) => void) | undefined,
    /** Where their policy was declared. */
    allowed: new WeakMap<RouteOptions, Error>(),
    /** Errors in the code of the app that nothing caught, and blocks of the event loop, by kind. */
    failures: { uncaughtException: 0, unhandledRejection: 0, blockedLoop: 0 }
  }
  app.addHook('onRoute', function collectRoute(route) {
    ownCode.allow?.(route)
    ownCode.routes.push(route)
  })
  return ownCode
}

interface Allowance {
  /** The access policy of all its routes. */
  access: Exclude<Access, KeyAccess>
  /** The `Content-Security-Policy` of its pages. By default they can load nothing. */
  csp?: string
}

/**
 * Sets the access policy of the routes that a plugin of others adds, and keeps them out of the API
 * document:
 *
 *     app.register(allow(fastifyStatic, { access: 'public', csp: "default-src 'self'" }), { root })
 */
export function allow<Options extends object>(
  plugin: FastifyPluginAsync<Options> | FastifyPluginCallback<Options>,
  allowance: Allowance
): FastifyPluginAsync<Options> {
  const declared = new Error('allow')
  return fp(async (app: FastifyInstance, options: Options) => {
    const { ownCode } = app
    if (!ownCode) throw new Error('allow is for plugins of an app that the portal loads')
    const outer = ownCode.allow
    ownCode.allow = (route) => {
      admit(app, route, allowance)
      ownCode.allowed.set(route, declared)
    }
    try {
      await app.register(plugin as FastifyPluginAsync<Options>, options as never)
    } finally {
      ownCode.allow = outer
    }
  })
}

function admit(app: FastifyInstance, route: RouteOptions, { access, csp }: Allowance) {
  const { response = { 200: { description: 'A file or a page' } } } = route.schema ?? {}
  route.config = { ...route.config, access }
  route.schema = { ...route.schema, hide: true, response }
  const isEverything = route.url === '/*'
  function admitPage(request: FastifyRequest, reply: FastifyReply, done: () => void) {
    // A page for every path is none of the API.
    if (isEverything && request.url.startsWith('/api/')) return reply.callNotFound()
    if (csp !== undefined) reply.headers({ ...app.pageHeaders, 'content-security-policy': csp })
    done()
  }
  route.onRequest = [...[route.onRequest ?? []].flat(), admitPage]
}
