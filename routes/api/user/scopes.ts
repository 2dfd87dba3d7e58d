import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listScopesOf } from '../../../src/domain/scopes/list.ts'
import { OwnScopes } from '../../../src/schemas/invitations.ts'
import { ref } from '../../../src/schemas/primitives.ts'

export default (async (app) => {
  app.get('/scopes', {
    config: { access: 'session', tag: 'user', order: 168 },
    schema: {
      operationId: 'listOwnScopes',
      summary: "List the current user's scopes",
      description: 'Returns the scopes in which the signed-in user has roles, at most 1,000.',
      response: { 200: ref(OwnScopes, 'The scopes') }
    },
    handler: async (request) => ({ items: await listScopesOf(app.db, request.self.id) })
  })
}) satisfies FastifyPluginAsyncTypebox
