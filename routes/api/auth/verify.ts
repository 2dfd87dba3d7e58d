import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { completeSignIn } from '../../../src/domain/sign-in/second-step.ts'
import { answerSignedIn } from '../../../src/http/sign-in.ts'
import { LoginVerification } from '../../../src/schemas/factors.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany, uncheckable } from '../../../src/schemas/problem.ts'
import { SignedIn } from '../../../src/schemas/sessions.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/login/verify', {
    config: { access: 'public', counts: 'logins', tag: 'auth', order: 50 },
    bodyLimit: 4096,
    schema: {
      operationId: 'verifyLogin',
      summary: 'Complete a sign-in with a second factor',
      description:
        'Accepts a code from the authenticator app or a recovery code, with the login cookie ' +
        'that `login` or `confirmAddress` set with status 202. Each code is accepted once. ' +
        'After five wrong codes the user must begin again with the password.',
      body: ref(LoginVerification),
      response: {
        200: ref(SignedIn, 'Signed in; Set-Cookie carries the session cookie', headers.setCookie),
        401: problem(
          'The code is wrong, or the sign-in has expired',
          'invalid-code',
          'login-expired'
        ),
        429: tooMany,
        503: uncheckable
      }
    },
    handler: async (request, reply) => {
      const signedIn = await completeSignIn(app.services, request.actor, {
        login: request.loginCookie(),
        factor: request.body,
        device: request.deviceCookie(),
        presented: request.presentedSessions()
      })
      const body = answerSignedIn(app, reply, signedIn)
      reply.clearLoginCookie()
      return body
    }
  })
}

export default routes
