import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

export default (async (app) => {
  app.get('/openapi.json', {
    config: { access: 'public', tag: 'operations' },
    schema: {
      operationId: 'getOpenApi',
      summary: 'Get the OpenAPI document',
      description:
        'Returns the OpenAPI document of the mode in which the server runs. The admin API is ' +
        'left out in production.',
      response: {
        200: Type.Object({}, { additionalProperties: true, description: 'An OpenAPI 3.1 document' })
      }
    },
    handler: async () => app.swagger()
  })
}) satisfies FastifyPluginAsyncTypebox
