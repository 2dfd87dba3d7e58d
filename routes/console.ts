import type { FastifyPluginAsync } from 'fastify'
import { addBrowserPage } from '../src/http/pages/browser-pages.ts'
import { bundleOf } from '../src/http/pages/bundle.ts'

/**
 * The console for administrators, in development only. Production does not load this file, and the
 * build does not have the script of the page: there is none without a checkout.
 */
const routes: FastifyPluginAsync = async (app) => {
  const load = bundleOf('console')
  if (!load) return
  addBrowserPage(app, {
    path: '/console',
    title: 'Console',
    load,
    settingsFor: () => ({ product: 'Console' })
  })
}

export default routes
