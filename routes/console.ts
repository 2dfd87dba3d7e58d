import type { FastifyPluginAsync } from 'fastify'
import { addBrowserPage, sessionPaths } from '../src/http/pages/browser-pages.ts'
import { bundleOf } from '../src/http/pages/bundles.ts'
import { firstAdminOf } from '../src/http/pages/first-admin.ts'

/**
 * The console: for administrators in development, and for an operator with `portal console`. A
 * server in production does not load this file.
 */
export default (async (app) => {
  const load = bundleOf(app.surface === 'console' ? 'operator' : 'console')
  if (!load) return
  addBrowserPage(app, {
    path: '/console',
    title: 'Console',
    load,
    // An operator's calls have a token, which the browser does not know.
    reads: () => (app.surface === 'console' ? [] : sessionPaths),
    // Anybody on this machine can read the page: it says nothing about the portal of an operator.
    settingsFor: () =>
      app.surface === 'console'
        ? { product: 'portal', surface: 'console' }
        : {
            product: app.config.PRODUCT_NAME,
            environment: 'development',
            hasAccountPages: app.config.ACCOUNT_PAGES === 'on',
            keepsSettings: app.settings !== undefined,
            firstAdmin: firstAdminOf(app)
          }
  })
}) satisfies FastifyPluginAsync
