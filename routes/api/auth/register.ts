import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { registerUser } from '../../../src/domain/accounts/registration.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany } from '../../../src/schemas/problem.ts'
import { Registered } from '../../../src/schemas/sessions.ts'
import { Registration } from '../../../src/schemas/users.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/register',
    {
      config: { access: 'public' },
      bodyLimit: 4096,
      schema: {
        operationId: 'register',
        summary: 'Register an account',
        description:
          'Creates an account with the role `user`. Does not sign the user in: no session starts ' +
          'and no cookie is set. Only a bcrypt hash of the password is stored.',
        tags: ['auth'],
        body: ref(Registration),
        response: {
          201: ref(Registered, 'The account was created'),
          403: problem('Registration is closed'),
          409: problem('An account with this e-mail address already exists'),
          429: tooMany
        }
      }
    },
    async (request, reply) =>
      reply.code(201).send({ user: await registerUser(app.services, request.actor, request.body) })
  )
}

export default routes
