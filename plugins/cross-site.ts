import type { IncomingHttpHeaders } from 'node:http'
import fp from 'fastify-plugin'
import { isSafe } from '../src/http/methods.ts'
import { createCrossSiteCheck, isForeign } from '../src/http/origins.ts'
import { DomainError } from '../src/domain/domain-error.ts'

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
    app.addHook('onRequest', function rejectCrossSiteChange(request, _reply, done) {
      const { method, headers, routeOptions } = request
      const { fromElsewhere, ownPagesOnly } = routeOptions.config
      const isChange = !isSafe(method) && !fromElsewhere
      const isChecked = isConsole || isChange || ownPagesOnly
      const isRejected = isChecked && app.isCrossSite(headers)
      done(isRejected ? new DomainError('cross-site', words) : undefined)
    })
  },
  { name: 'cross-site', dependencies: ['config', 'cors'] }
)

const ofConsole =
  'Another page has opened or sent this. To open the console, paste the link that its terminal ' +
  'printed into the address bar.'
