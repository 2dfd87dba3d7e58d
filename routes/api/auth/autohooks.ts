import type { FastifyPluginAsync } from 'fastify'

/** Anybody can send these requests, so their bodies are bounded more tightly than others. */
export default (async (app) => {
  app.addHook('onRoute', (route) => {
    route.bodyLimit = 4096
  })
}) satisfies FastifyPluginAsync
