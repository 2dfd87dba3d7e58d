import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** What every answer carries, those as well that are given before there is a request. */
    securityHeaders: Readonly<Record<string, string>>
  }
}

/** The headers that every answer carries. They never vary, so @fastify/helmet is asked once and not at every request. */
export default fp(
  async (app) => {
    const securityHeaders = {
      ...(await helmetHeaders(app.config.development)),
      'cache-control': 'no-store'
    }
    app.decorate('securityHeaders', securityHeaders)
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(securityHeaders)
      reply.header('x-request-id', request.id)
      done()
    })
  },
  { name: 'helmet', dependencies: ['config'] }
)

/** An API serves no page, so its policy lets a browser do nothing with one. */
async function helmetHeaders(development: boolean) {
  const source = Fastify()
  await source.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"]
      }
    },
    hsts: development ? false : { maxAge: 63_072_000, includeSubDomains: true },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' }
  })
  source.get('/', async (_request, reply) => reply.getHeaders())
  const answer = await source.inject('/')
  await source.close()
  return answer.json<Record<string, string>>()
}
