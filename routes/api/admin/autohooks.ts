import type { FastifyPluginAsync } from 'fastify'
import { crossSite } from '../../../src/http/refusals.ts'

/** Rejects all requests of other sites to the admin API, even reads. */
export default (async (app) => {
  app.addHook('onRequest', function rejectCrossSite({ headers }, _reply, done) {
    done(app.isCrossSite(headers) ? crossSite() : undefined)
  })
}) satisfies FastifyPluginAsync
