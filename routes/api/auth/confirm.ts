import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { confirmAddress } from '../../../src/domain/sign-in/confirmation.ts'
import { Confirmation } from '../../../src/schemas/emails.ts'
import { answerSignIn } from '../../../src/http/sign-in.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany } from '../../../src/schemas/problem.ts'
import { SecondFactorDue, SignedIn } from '../../../src/schemas/sessions.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/confirm', {
    config: { access: 'public', tag: 'auth', order: 30 },
    bodyLimit: 4096,
    schema: {
      operationId: 'confirmAddress',
      summary: 'Confirm an e-mail address',
      description:
        'Confirms the address of a registration, or of an account that signed in without a ' +
        'confirmed address, and signs in. It takes the token of the link and the password that ' +
        'was chosen, so that neither a program that opens the link nor a stranger who opens ' +
        'the mail can confirm. Five wrong passwords invalidate the token.',
      body: ref(Confirmation),
      response: {
        200: ref(
          SignedIn,
          'Confirmed and signed in; Set-Cookie carries the session cookie',
          headers.setCookie
        ),
        202: ref(
          SecondFactorDue,
          'Confirmed, but a second factor is needed, as for `login`',
          headers.setCookie
        ),
        400: problem('A field is not valid, or the link is not valid', 'invalid-token'),
        401: problem('The password is wrong', 'invalid-credentials'),
        403: problem(
          'Registration was closed before the address was confirmed',
          'registration-closed'
        ),
        429: tooMany
      }
    },
    handler: async (request, reply) => {
      const presented = request.presentedSessions()
      const input = { ...request.body, presented }
      return answerSignIn(app, reply, await confirmAddress(app.services, request.actor, input))
    }
  })
}

export default routes
