import fp from 'fastify-plugin'

/** Lets single-page apps of the listed origins read answers. Without a list there are no CORS headers at all. */
export default fp(
  async (app) => {
    const listed = new Set(app.config.CORS_ORIGINS)
    if (listed.size === 0) return
    const { default: cors } = await import('@fastify/cors')
    app.addHook('onRoute', function declarePreflight(route) {
      if (route.method === 'OPTIONS' && route.url === '*') {
        route.config = { ...route.config, access: 'public' }
        route.schema = {
          ...route.schema,
          response: { 204: { type: 'null', description: 'What may be asked from there' } }
        }
      }
    })
    await app.register(cors, {
      // Exact text or nothing: an origin that is not listed gets no header that says anything.
      origin: (origin, done) =>
        done(null, origin !== undefined && listed.has(origin) ? origin : false),
      credentials: true,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: ['content-type', 'if-match', 'if-none-match'],
      exposedHeaders: ['etag', 'link', 'location', 'retry-after', 'x-request-id'],
      maxAge: 600,
      strictPreflight: false
    })
  },
  { name: 'cors', dependencies: ['config', 'guard', 'permissions'] }
)
