import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** A route that declares one successful status answers with it: its handler sets none. */
export default fp(
  async (app) => {
    app.addHook('onRoute', function declareStatus(route) {
      const [status, ...others] = Object.keys(route.schema?.response ?? {}).filter(isSuccess)
      if (status === undefined || status === '200' || others.length > 0) return
      function setStatus(_request: FastifyRequest, reply: FastifyReply, done: () => void) {
        reply.code(Number(status))
        done()
      }
      route.preHandler = [...[route.preHandler ?? []].flat(), setStatus]
    })
  },
  { name: 'success-status' }
)

const isSuccess = (status: string) => /^2\d\d$/.test(status)
