import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { DomainError } from '../src/domain/errors.ts'
import { isSafe } from '../src/http/methods.ts'
import { createCrossSiteCheck, isForeign } from '../src/http/origins.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages of other sites may send it. It reads no cookie and changes nothing. */
    fromElsewhere?: true
    /** Pages of other sites may not even read it. */
    ownPagesOnly?: true
  }
  interface FastifyInstance {
    /** Whether a browser sent a request with these headers from a page of another site. */
    isCrossSite(headers: IncomingHttpHeaders): boolean
  }
}

/**
 * Browsers also send the session cookie with requests of other sites. Therefore a state-changing
 * request must come from the app's own origin, from a listed one or from a client that is not a
 * browser. This is checked before any credential. The operator's console rejects reads as well, its
 * pages included: the browser of an operator also shows pages of others.
 */
export default fp(
  async (app) => {
    const isConsole = app.surface === 'console'
    app.decorate('isCrossSite', isConsole ? isForeign : createCrossSiteCheck(app.config))
    const words = isConsole ? { detail: ofConsole } : undefined
    const warn = app.surface === 'development' ? createOriginWarning(app) : undefined
    app.addHook('onRequest', function rejectCrossSiteChange(request, _reply, done) {
      const { method, headers, routeOptions } = request
      const { fromElsewhere, ownPagesOnly } = routeOptions.config
      warn?.(headers)
      // CORS does not protect a WebSocket: a page of any site can open one and read what it gets.
      const isChange = (!isSafe(method) || headers.upgrade !== undefined) && !fromElsewhere
      const isChecked = isConsole || isChange || ownPagesOnly
      const isRejected = isChecked && app.isCrossSite(headers)
      done(isRejected ? new DomainError('cross-site', words) : undefined)
    })
  },
  { name: 'cross-site', dependencies: ['config', 'cors'] }
)

/** A browser tells its developer only that CORS has blocked something, and the portal nothing. */
function createOriginWarning(app: FastifyInstance) {
  const seen = new Set<string>()
  return (headers: IncomingHttpHeaders) => {
    const { origin = '' } = headers
    if (seen.size >= 10 || seen.has(origin) || !/^https?:/.test(origin)) return
    if (!app.isCrossSite(headers)) return
    seen.add(origin)
    app.log.warn(
      `A page of ${origin} calls the portal and cannot read what it answers. Forward /api to the ` +
        `portal in your development server, or set CORS_ORIGINS=${origin}`
    )
  }
}

const ofConsole =
  'Another page has opened or sent this. To open the console, paste the link that its terminal ' +
  'printed into the address bar.'
