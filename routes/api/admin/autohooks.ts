import type { FastifyPluginAsync } from 'fastify'
import { DomainError } from '../../../src/domain/errors.ts'

/** Rejects all requests of other sites to the admin API, even reads. */
export default (async (app) => {
  app.addHook('onRequest', function rejectCrossSite({ headers }, _reply, done) {
    done(app.isCrossSite(headers) ? new DomainError('cross-site') : undefined)
  })
}) satisfies FastifyPluginAsync
