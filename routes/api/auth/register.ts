import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { registerUser, requestAccount } from '../../../src/domain/sign-in/registration.ts'
import { ConfirmationSent } from '../../../src/schemas/emails.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany } from '../../../src/schemas/problem.ts'
import { Registered } from '../../../src/schemas/sessions.ts'
import { Registration } from '../../../src/schemas/users.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/register', {
    config: { access: 'public', tag: 'auth', order: 20 },
    bodyLimit: 4096,
    schema: {
      operationId: 'register',
      summary: 'Register an account',
      description:
        'Creates an account with the role `user`. Does not sign the user in: no session starts ' +
        'and no cookie is set. Only a bcrypt hash of the password is stored. Where e-mail ' +
        'addresses must be confirmed, the account is created when its owner confirms the address ' +
        'with the link that is sent to it, and a registered address gets the same response.',
      body: ref(Registration),
      response: {
        201: ref(Registered, 'The account was created'),
        202: ref(ConfirmationSent, 'A mail was sent to the address'),
        403: problem('Registration is closed', 'registration-closed'),
        409: problem('An account with this e-mail address already exists', 'email-taken'),
        429: tooMany
      }
    },
    handler: async (request, reply) => {
      const input = { ...request.body, locale: request.mailLocale() }
      const { mail } = app.services
      if (mail?.verification !== 'required') {
        const user = await registerUser(app.services, request.actor, input)
        return reply.code(201).send({ user })
      }
      await requestAccount({ ...app.services, mail }, request.actor, input)
      return reply.code(202).send({ status: 'confirmation-sent' as const })
    }
  })
}

export default routes
