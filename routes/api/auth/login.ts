import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { signIn } from '../../../src/domain/sign-in/password-sign-in.ts'
import { answerSignIn } from '../../../src/http/sign-in.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany } from '../../../src/schemas/problem.ts'
import { SecondFactorDue, SignedIn } from '../../../src/schemas/sessions.ts'
import { Credentials } from '../../../src/schemas/users.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/login', {
    config: { access: 'public', counts: 'logins', tag: 'auth', order: 40 },
    bodyLimit: 4096,
    schema: {
      operationId: 'login',
      summary: 'Sign in',
      description:
        'Starts a session and sets its cookie. If the request carries the cookie of an active ' +
        'session, the new session replaces it. An unknown e-mail address, a wrong password and ' +
        'a deactivated account are rejected alike, with the same response after the same work. ' +
        'If the account needs a second factor, the response is 202 and `verifyLogin` completes ' +
        'the sign-in.',
      body: ref(Credentials),
      response: {
        200: ref(SignedIn, 'Signed in; Set-Cookie carries the session cookie', headers.setCookie),
        202: ref(
          SecondFactorDue,
          'A second factor is needed; Set-Cookie carries the login cookie',
          headers.setCookie
        ),
        401: problem('The e-mail address or the password is wrong', 'invalid-credentials'),
        403: problem(
          'The e-mail address is not confirmed; a link is sent to it',
          'email-unverified'
        ),
        429: tooMany
      }
    },
    handler: async (request, reply) => {
      const presented = request.presentedSessions()
      const signedIn = await signIn(app.services, request.actor, {
        ...request.body,
        presented,
        device: request.deviceCookie()
      })
      return answerSignIn(app, reply, signedIn)
    }
  })
}

export default routes
