import fp from 'fastify-plugin'
import { createCorsHeaders } from '../src/http/origins.ts'
import { createSecurityHeaders } from '../src/http/security-headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The headers of every response, also of those that are sent before a request is parsed. */
    securityHeaders: Readonly<Record<string, string>>
    /** The CORS headers of a refusal that comes before CORS is handled. */
    corsHeaders(origin: string | undefined): Readonly<Record<string, string>>
    /** Those that only pages have besides. */
    pageHeaders: Readonly<Record<string, string>>
  }
}

export default fp(
  async (app) => {
    const { everywhere, pages } = await createSecurityHeaders(app.surface)
    app.decorate('securityHeaders', everywhere)
    app.decorate('pageHeaders', pages)
    const isConsole = app.surface === 'console'
    app.decorate('corsHeaders', createCorsHeaders(isConsole ? { CORS_ORIGINS: [] } : app.config))
    app.addHook('onRequest', function addSecurityHeaders(request, reply, done) {
      reply.headers(everywhere)
      reply.header('x-request-id', request.id)
      done()
    })
  },
  { name: 'helmet', dependencies: ['config'] }
)
