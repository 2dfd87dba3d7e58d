import type { FastifyPluginAsync } from 'fastify'
import { crossSite } from '../../../../src/http/refusals.ts'

/** Pages of other sites may not even read the admin API. */
const hooks: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', function rejectCrossSite({ headers }, _reply, done) {
    done(app.isCrossSite(headers) ? crossSite() : undefined)
  })
}

export default hooks
