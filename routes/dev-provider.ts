import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../src/config/config.ts'
import {
  exampleClient,
  exampleKey,
  examplePath,
  isExample
} from '../src/config/development-files.ts'
import type { Respond } from '../src/dev-provider/example.ts'
import { callbackOf } from '../src/http/provider-flow.ts'
import { declarePages } from '../src/http/pages/browser-pages.ts'

/**
 * The provider for development, unless PROVIDERS names others. Production does not load this file,
 * and nothing of the provider is loaded before somebody signs in with it.
 */
export default (async (app) => {
  const example = app.config.providers.find(isExample(app.config))
  if (!example) return
  declarePages(app)
  let loading: Promise<Respond> | undefined

  // In a hook, because the provider reads the body by itself.
  app.addHook('onRequest', async function leaveToProvider({ raw }, reply) {
    loading ??= load(app.config)
    const respond = await loading
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    const { url = '' } = raw
    // A mounted application expects the rest of the address.
    Object.assign(raw as IncomingMessage, { originalUrl: url, url: url.slice(examplePath.length) })
    await respond(raw, reply.raw)
    raw.url = url // for the log
  })
  app.all(`${examplePath}/*`, async () => {})
}) satisfies FastifyPluginAsync

async function load(config: Config) {
  const { createExample } = await import('../src/dev-provider/example.ts')
  const redirectUri = callbackOf(config.PUBLIC_ORIGIN, exampleKey)
  return createExample({ ...exampleClient(config), redirectUri })
}
