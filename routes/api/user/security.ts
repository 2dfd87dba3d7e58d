import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findSecurity } from '../../../src/domain/accounts/second-factor.ts'
import { Security } from '../../../src/schemas/factors.ts'
import { ref } from '../../../src/schemas/primitives.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/security', {
    config: { access: 'session', tag: 'user', order: 100 },
    schema: {
      operationId: 'getSecurity',
      summary: "Get the current user's sign-in methods",
      description:
        'Returns how the user can sign in, which second factors they have, and which of their ' +
        'roles require one.',
      response: { 200: ref(Security, 'How the current user signs in') }
    },
    handler: async (request) => findSecurity(app.db, request.self)
  })
}

export default routes
