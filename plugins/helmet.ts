import fp from 'fastify-plugin'
import { createSecurityHeaders } from '../src/http/security-headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The headers of every response, also of those that are sent before a request is parsed. */
    securityHeaders: Readonly<Record<string, string>>
  }
}

export default fp(
  async (app) => {
    const securityHeaders = await createSecurityHeaders(app.config.development)
    app.decorate('securityHeaders', securityHeaders)
    app.addHook('onRequest', function addSecurityHeaders(request, reply, done) {
      reply.headers(securityHeaders)
      reply.header('x-request-id', request.id)
      done()
    })
  },
  { name: 'helmet', dependencies: ['config'] }
)
