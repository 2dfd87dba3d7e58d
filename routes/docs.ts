import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import { declarePages } from '../src/http/pages/browser-pages.ts'
import { mark } from '../src/http/pages/mark.ts'

const staticCSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

const icon = {
  ...{ filename: 'icon.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml' },
  content: Buffer.from(mark)
}

/**
 * The API reference page, in development only. Production does not load this file.
 */
export default (async (app) => {
  declarePages(app)
  // The script of the page asks for the document at its own address, query included.
  app.addHook('onRequest', function dropQuery(request, reply, done) {
    const [path, query] = request.url.split('?', 2)
    if (query === undefined || (path !== '/docs' && path !== '/docs/')) return done()
    void reply.redirect(path)
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP,
    // Without the box for the address of another document.
    uiConfig: { layout: 'BaseLayout', deepLinking: true, tryItOutEnabled: true },
    theme: { title: 'portal: API reference', favicon: [icon] }
  })

  if (app.ownApp) return // which may have a page there
  // Requested by browsers that open the root of the API.
  app.get('/', async (_request, reply) => reply.redirect('/docs'))
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/docs/static/theme/icon.svg'))
}) satisfies FastifyPluginAsync
