import swaggerUi from '@fastify/swagger-ui'
import fp from 'fastify-plugin'

/** The API reference page, in development only: production serves no pages. */
export default fp(async (app) => {
  if (!app.config.development) return
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' }
      route.schema = { ...route.schema, hide: true, response: { 200: { description: 'A file of the reference page' } } }
    })
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      uiConfig: { deepLinking: true, tryItOutEnabled: true }
    })
  })
}, { name: 'docs', dependencies: ['config', 'openapi', 'permissions'] })
