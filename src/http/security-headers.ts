import helmet from '@fastify/helmet'
import Fastify from 'fastify'

/**
 * The headers that every answer carries. They never vary, so @fastify/helmet is asked once and not
 * at every request. An API serves no page, so its policy lets a browser do nothing with one.
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
