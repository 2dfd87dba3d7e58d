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
        summary: "Set the current user's e-mail address",
        description:
          'Changes the e-mail address that the user signs in with. Requires the current password.',
        tags: ['user'],
        body: ref(EmailChange),
        response: {
          200: ref(Email, 'The new e-mail address'),
          403: problem('The current password is wrong'),
          409: problem('An account with this e-mail address already exists')
        }
      }
    },
    async (request) => changeEmail(app.services, request.self, request.body)
  )
}

export default routes
