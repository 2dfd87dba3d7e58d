import fp from 'fastify-plugin'
import { exposedHeaders } from '../src/http/origins.ts'

/**
 * Lets single-page apps of listed origins read responses. Without a list there are no CORS headers.
 */
export default fp(
  async (app) => {
    const listed = new Set(app.config.CORS_ORIGINS)
    if (listed.size === 0 || app.surface === 'console') return
    const { default: cors } = await import('@fastify/cors')
    app.addHook('onRoute', function declarePreflight(route) {
      if (route.method === 'OPTIONS' && route.url === '*') {
        route.config = { ...route.config, access: 'public' }
        route.schema = {
          ...route.schema,
          response: {
            204: { type: 'null', description: 'The methods and headers that the origin may use' }
          }
        }
      }
    })
    await app.register(cors, {
      // Compares exact text. Origins that are not listed get no CORS headers.
      origin: (origin, done) =>
        done(null, origin !== undefined && listed.has(origin) ? origin : false),
      credentials: true,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: [
        ...['content-type', 'if-match', 'if-none-match', 'portal-user', 'portal-proof'],
        ...app.config.CORS_HEADERS
      ],
      exposedHeaders: [...exposedHeaders],
      maxAge: 600,
      strictPreflight: false
    })
  },
  { name: 'cors', dependencies: ['config', 'guard', 'permissions'] }
)
