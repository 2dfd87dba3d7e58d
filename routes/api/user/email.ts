import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changeEmail } from '../../../src/domain/accounts/credentials.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { Email, EmailChange } from '../../../src/schemas/settings.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    '/email',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'setOwnEmail',
        summary: "Change one's e-mail address",
        description: 'The address to sign in with from now on. Asks for the password again.',
        tags: ['user'],
        body: ref(EmailChange),
        response: {
          200: ref(Email, 'The address as it is now'),
          403: problem('The current password is wrong'),
          409: problem('An account with this e-mail address exists')
        }
      }
    },
    async (request) => changeEmail(app, request.self, request.body)
  )
}

export default routes
