import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import { pagePolicy } from '../src/html.ts'
import { declarePages } from '../src/http/pages/browser-pages.ts'
import { firstAdminOf } from '../src/http/pages/first-admin.ts'
import { mark } from '../src/http/pages/mark.ts'
import { startPage } from '../src/http/pages/start-page.ts'

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
 * The first page and the API reference, in development only. Production does not load this file.
 */
export default (async (app) => {
  declarePages(app)
  // The script of the page asks for the document at its own address, query included.
  app.addHook('onRequest', function dropQuery(request, reply, done) {
    const [path, query] = request.url.split('?', 2)
    if (query === undefined || (path !== '/docs' && path !== '/docs/')) return done()
    void reply.redirect(path)
  })
  app.addHook('onSend', async function compress(request, reply, payload) {
    const accepted = String(request.headers['accept-encoding']).includes('gzip')
    const isText = /^text|javascript|json/.test(String(reply.getHeader('content-type')))
    if (!accepted || !isText || request.method !== 'GET' || reply.statusCode !== 200) return payload
    reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding')
    reply.removeHeader('content-length')
    const source = payload instanceof Readable ? payload : Readable.from([payload])
    return source.pipe(createGzip())
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP,
    // Without the box for the address of another document.
    uiConfig: {
      layout: 'BaseLayout',
      deepLinking: true,
      docExpansion: 'none', // all operations at once block a browser for seconds
      tryItOutEnabled: true
    },
    theme: { title: 'portal: API reference', favicon: [icon] }
  })

  if (app.ownApp) return // which may have a page there
  app.get('/', async (_request, reply) =>
    reply
      .header('content-security-policy', pagePolicy)
      .type('text/html; charset=utf-8')
      .send(
        startPage({
          product: app.config.PRODUCT_NAME,
          origin: app.config.PUBLIC_ORIGIN,
          firstAdmin: firstAdminOf(app),
          hasAccountPages: app.config.ACCOUNT_PAGES === 'on',
          hasMail: app.config.MAIL_URL === undefined,
          hasSample: app.database.local
        })
      )
  )
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/docs/static/theme/icon.svg'))
}) satisfies FastifyPluginAsync
