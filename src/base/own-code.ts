import type { FastifyInstance, RouteOptions } from 'fastify'

/** State that the loading of an app shares with the plugins. */
export interface OwnCode {
  /** Every route so far, of the portal and of the app. */
  routes: RouteOptions[]
  /** Sets the policy of the routes that a plugin of others adds now. */
  allow: ((route: RouteOptions) => void) | undefined
  /** Where their policy was declared. */
  allowed: WeakMap<RouteOptions, Error>
  /** Errors in the code of the app that nothing caught, and blocks of the event loop, by kind. */
  failures: { uncaughtException: number; unhandledRejection: number; blockedLoop: number }
}

export function createOwnCode(app: FastifyInstance): OwnCode {
  const ownCode: OwnCode = {
    routes: [],
    allow: undefined,
    allowed: new WeakMap(),
    failures: { uncaughtException: 0, unhandledRejection: 0, blockedLoop: 0 }
  }
  app.addHook('onRoute', function collectRoute(route) {
    ownCode.allow?.(route)
    ownCode.routes.push(route)
  })
  return ownCode
}
