import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listScopesOf } from '../../../src/domain/scopes/list.ts'
import { findUser } from '../../../src/domain/users/users.ts'
import { person } from '../../../src/http/callers.ts'
import { addScopeRoutes } from '../../../src/http/scope-routes.ts'
import { closed, Id, ref } from '../../../src/schemas/primitives.ts'
import { noUser } from '../../../src/schemas/problem.ts'
import { UserScopes } from '../../../src/schemas/scopes.ts'

export default (async (app) => {
  app.get('/users/:id/scopes', {
    config: { access: { permission: 'users:read' }, tag: 'users' },
    schema: {
      operationId: 'listScopesOfUser',
      summary: "List a user's scopes",
      description: 'Returns the scopes in which the user has roles, also roles that are suspended.',
      params: closed({ id: Id('User id') }),
      response: { 200: ref(UserScopes, 'The scopes of the user'), 404: noUser }
    },
    async handler({ params: { id } }) {
      await findUser(app.db, id)
      return { items: await listScopesOf(app.db, id) }
    }
  })

  addScopeRoutes(app, person)
}) satisfies FastifyPluginAsyncTypebox
