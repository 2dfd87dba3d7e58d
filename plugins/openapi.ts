import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import { openapiOptions } from '../src/http/document/openapi.ts'
import type { Headers } from '../src/schemas/primitives.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers of every refusal, for the document. */
    refusalHeaders?: Headers
    /** The place of its path among those of its tag. Paths without one follow by name. */
    order?: number
  }
}

export default fp(
  async (app) => {
    const { surface, config, ownApp } = app
    await app.register(swagger, openapiOptions(surface, config.settingsSchemas, ownApp?.definition))
  },
  { name: 'openapi', dependencies: ['config', 'schemas'] }
)
