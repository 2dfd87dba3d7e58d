import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listScopesOf } from '../../../src/domain/scopes/list.ts'
import { UserScopes } from '../../../src/schemas/scopes.ts'
import { ref } from '../../../src/schemas/primitives.ts'

export default (async (app) => {
  app.get('/scopes', {
    config: { access: 'session', tag: 'user', order: 168 },
    schema: {
      operationId: 'listUserScopes',
      summary: "List the current user's scopes",
      description: 'Returns the scopes in which the signed-in user has roles, at most 1,000.',
      response: { 200: ref(UserScopes, 'The scopes') }
    },
    handler: async (request) => ({ items: await listScopesOf(app.db, request.self.id) })
  })
}) satisfies FastifyPluginAsyncTypebox
