import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fixedJson } from '../src/http/fixed-response.ts'
import { ifNoneMatch } from '../src/schemas/lists.ts'
import { tagged, unchanged } from '../src/schemas/primitives.ts'

export default (async (app) => {
  app.get('/openapi.json', {
    config: { access: 'public', tag: 'operations' },
    schema: {
      operationId: 'getOpenApi',
      summary: 'Get the OpenAPI document',
      description:
        'Returns the OpenAPI document of the mode in which the server runs. The admin API is ' +
        'left out in production.',
      headers: ifNoneMatch,
      response: {
        200: tagged(
          Type.Object({}, { additionalProperties: true, description: 'An OpenAPI 3.1 document' })
        ),
        304: unchanged
      }
    },
    handler: fixedJson(() => app.swagger())
  })
}) satisfies FastifyPluginAsyncTypebox
