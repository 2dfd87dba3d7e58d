import fp from 'fastify-plugin'
import { rateLimited } from '../src/domain/errors.ts'
import { networksOf } from '../src/domain/throttling/networks.ts'

/**
 * Limits the requests of one address to one instance when RATE_LIMIT is set. Counted in memory, after
 * the checks of headers, origin and CORS, and before credentials are looked at.
 */
export default fp(
  async (app) => {
    const { RATE_LIMIT: max } = app.config
    if (max === undefined) return
    const { default: rateLimit } = await import('@fastify/rate-limit')
    const none = {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false
    }
    await app.register(rateLimit, {
      global: false,
      max,
      timeWindow: 60_000,
      cache: 10_000,
      addHeaders: { ...none, 'retry-after': false }, // plugins/errors.ts writes it
      addHeadersOnExceeding: none,
      keyGenerator: ({ actor }) => networksOf(actor.ip)[0],
      allowList: (request) => request.routeOptions.config.probe === true,
      errorResponseBuilder: (_request, { ttl }) =>
        rateLimited(Math.max(1, Math.ceil(ttl / 1000)), { limit: 'requests' })
    })
    app.addHook('onRequest', app.rateLimit())
  },
  { name: 'rate-limit', dependencies: ['config', 'actor', 'guard'] }
)
