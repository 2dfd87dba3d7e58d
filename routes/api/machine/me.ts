import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireKeyCaller } from '../../../src/http/key-authentication.ts'
import { Machine } from '../../../src/schemas/keys.ts'
import { ref } from '../../../src/schemas/primitives.ts'

export default (async (app) => {
  app.get('/me', {
    config: { access: 'key', fromMemory: true, tag: 'machine', order: 10 },
    schema: {
      operationId: 'getMachine',
      summary: 'Show the API key of the request',
      description:
        'Returns the owner of the key, what the key may do at this moment, and when it expires. ' +
        'Cookies are ignored.',
      response: { 200: ref(Machine, 'The key and its owner') }
    },
    handler: async (request) => {
      const { owner, key, roles, permissions } = requireKeyCaller(request)
      return { owner, key, roles, permissions }
    }
  })
}) satisfies FastifyPluginAsyncTypebox
