import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../../src/schemas/primitives.ts'
import { SignedIn } from '../../../src/schemas/sessions.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/me',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'getMe',
        summary: 'Get the current user',
        description:
          'Returns the signed-in user with roles and permissions, and the session of the cookie. ' +
          'The response always reflects the current state.',
        tags: ['auth'],
        response: { 200: ref(SignedIn, 'The current user and session') }
      }
    },
    async (request) => ({ user: request.user, session: request.session })
  )
}

export default routes
