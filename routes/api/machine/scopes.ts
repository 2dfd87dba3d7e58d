import type { FastifyPluginAsync } from 'fastify'
import { machine } from '../../../src/http/callers.ts'
import { addScopeRoutes } from '../../../src/http/scope-routes.ts'

/** Roles in scopes, for the app that knows what the scopes are. */
export default (async (app) => addScopeRoutes(app, machine)) satisfies FastifyPluginAsync
