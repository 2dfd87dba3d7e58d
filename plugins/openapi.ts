import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import { openapiOptions } from '../src/http/document/openapi.ts'
import type { Headers } from '../src/schemas/primitives.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers of every refusal, for the document. */
    refusalHeaders?: Headers
  }
}

export default fp(
  async (app) => {
    await app.register(swagger, openapiOptions(app.config.development))
  },
  { name: 'openapi', dependencies: ['config', 'schemas'] }
)
