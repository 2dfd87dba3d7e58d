import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { crossSite } from '../src/http/refusals.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A cookie travels with what other sites send, too. So whatever changes something must come from the app's own origin, from one
 * that is listed, or from no browser at all, judged before any credential is looked at (the rule of Go's net/http
 * CrossOriginProtection). Of administration even reading must not come from another site.
 */
export default fp(
  async (app) => {
    const { PUBLIC_ORIGIN, CORS_ORIGINS, development } = app.config
    const ours = new Set([PUBLIC_ORIGIN, ...CORS_ORIGINS])

    app.addHook('onRequest', (request, _reply, done) => {
      done(
        (!reading.has(request.method) || (development && isAdmin(request))) && isForeign(request)
          ? crossSite()
          : undefined
      )
    })

    function isForeign({ headers }: FastifyRequest) {
      const site = headers['sec-fetch-site']
      if (site === 'same-origin' || site === 'none') return false
      if (site === undefined && headers.origin === undefined) return false // not a browser
      if (headers.origin === undefined) return true
      // The guard let the host in. Over plain HTTP a browser sends no Sec-Fetch-Site but to loopback.
      const isItself = development && headers.origin === `http://${headers.host}`
      return !isItself && !ours.has(headers.origin)
    }
  },
  { name: 'origin', dependencies: ['config', 'cors'] }
)

/** By the route that was found, never by the text of the address. There is none but in development. */
const isAdmin = (request: FastifyRequest) =>
  request.routeOptions.url?.startsWith('/api/admin/') === true
