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
        summary: 'Who am I?',
        description:
          'The signed-in user with their roles and permissions, and the session of the cookie. Always the present state.',
        tags: ['auth'],
        response: { 200: ref(SignedIn, 'Signed in') }
      }
    },
    async (request) => ({ user: request.user, session: request.session })
  )
}

export default routes
