import helmet from '@fastify/helmet'
import Fastify from 'fastify'

/**
 * The headers of every response. They never vary, so @fastify/helmet runs once instead of with
 * every request. An API serves no pages, so its content security policy allows nothing.
 */
export async function createSecurityHeaders(
  development: boolean
): Promise<Readonly<Record<string, string>>> {
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
  return { ...answer.json<Record<string, string>>(), 'cache-control': 'no-store' }
}
