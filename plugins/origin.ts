import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { crossSite, hostNotAllowed } from '../src/domain/errors.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A cookie travels with what other sites send, too. So whatever changes something must come from the app's own origin or from no
 * browser at all, judged before any credential is looked at (the rule of Go's net/http CrossOriginProtection).
 * Administration asks more: its reading must not come from another site either, and its host name must be one of this machine,
 * because a page can make a name of its own point here (DNS rebinding).
 */
export default fp(async (app) => {
  const { origin, hostname } = new URL(app.config.PUBLIC_ORIGIN)
  const ours = new Set([hostname, 'localhost', '127.0.0.1', '[::1]'])

  app.addHook('onRequest', (request, _reply, done) => {
    const admin = isAdmin(request)
    if (admin && !isOurs(request.headers.host)) return done(hostNotAllowed())
    done((admin || !reading.has(request.method)) && isForeign(request) ? crossSite() : undefined)
  })

  function isForeign ({ headers }: FastifyRequest) {
    const site = headers['sec-fetch-site']
    if (site === 'same-origin' || site === 'none') return false
    if (site === undefined && headers.origin === undefined) return false // not a browser
    return headers.origin !== origin
  }

  function isOurs (host = '') {
    const name = host.replace(/:\d*$/, '').toLowerCase()
    return ours.has(name) || name.endsWith('.localhost')
  }
}, { name: 'origin', dependencies: ['config'] })

/** By the route that was found, never by the text of the address. */
const isAdmin = (request: FastifyRequest) => request.routeOptions.url?.startsWith('/api/admin/') === true
