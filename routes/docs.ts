import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import { declarePages } from '../src/http/pages/browser-pages.ts'
import { completed, theme, uiConfig } from '../src/http/pages/reference-page.ts'

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
  const site = { hasMail: app.config.MAIL_URL === undefined }
  app.addHook('onSend', async function completePage(request, _reply, payload) {
    const isPage = request.url === '/docs' || request.url === '/docs/'
    return isPage && typeof payload === 'string' ? completed(payload, site) : payload
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP,
    uiConfig,
    theme
  })

  // Requested by browsers that open the root of the API.
  app.get('/', async (_request, reply) => reply.redirect('/docs'))
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/docs/static/theme/icon.svg'))
}) satisfies FastifyPluginAsync
