import swagger from '@fastify/swagger'
import fp from 'fastify-plugin'
import { openapiOptions } from '../src/http/openapi.ts'

export default fp(
  async (app) => {
    await app.register(swagger, openapiOptions(app.config.development))
  },
  { name: 'openapi', dependencies: ['config', 'schemas'] }
)
