import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { signOut } from '../../../src/domain/sessions/revocation.ts'
import { signIn } from '../../../src/domain/sign-in/password-sign-in.ts'
import { completeSignIn } from '../../../src/domain/sign-in/second-step.ts'
import { expectedHeader, otherUser } from '../../../src/http/authentication.ts'
import { answerFirstStep, answerSignedIn } from '../../../src/http/cookies.ts'
import { LoginVerification } from '../../../src/schemas/factors.ts'
import { headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import {
  needsProvider,
  passingProblem,
  problem,
  refusedSignIn,
  tooMany,
  uncheckable
} from '../../../src/schemas/problem.ts'
import { signsIn } from '../../../src/schemas/sessions.ts'
import { Credentials } from '../../../src/schemas/users.ts'

export default (async (app) => {
  app.post('/login', {
    config: { access: 'public', counts: 'logins', tag: 'auth', order: 40 },
    schema: {
      operationId: 'login',
      summary: 'Sign in',
      description:
        'Starts a session and sets its cookie. If the request carries the cookie of an active ' +
        'session, the new session replaces it. An unknown e-mail address, a wrong password and ' +
        'a deactivated account are rejected alike, with the same response after the same work. ' +
        'If the account needs a second factor, the response is 202 and `verifyLogin` completes ' +
        'the sign-in. An account whose deletion its user has planned is restored with `restore`, ' +
        'once the sign-in is complete.',
      body: ref(Credentials),
      response: {
        ...signsIn,
        401: problem('The e-mail address or the password is wrong', 'invalid-credentials'),
        403: refusedSignIn,
        429: tooMany
      }
    },
    handler: async (request, reply) => {
      const presented = request.presentedTokens()
      const signedIn = await signIn(app.context, request.actor, {
        ...request.body,
        presented,
        device: request.portalCookie('device')
      })
      return answerFirstStep(app, reply, signedIn)
    }
  })

  app.post('/login/verify', {
    config: { access: 'public', counts: 'logins', tag: 'auth', order: 50 },
    schema: {
      operationId: 'verifyLogin',
      summary: 'Complete a sign-in with a second factor',
      description:
        'Accepts a code from the authenticator app or a recovery code, with the login cookie ' +
        'that `login` or `confirmAddress` set with status 202. Each code is accepted once. ' +
        'After five wrong codes the user must begin again with the password.',
      body: ref(LoginVerification),
      response: {
        200: signsIn[200],
        401: problem(
          'The code is wrong, or the sign-in has expired',
          'invalid-code',
          'login-expired'
        ),
        403: needsProvider,
        429: tooMany,
        503: uncheckable
      }
    },
    handler: async (request, reply) => {
      const signedIn = await completeSignIn(app.context, request.actor, {
        login: request.portalCookie('login'),
        factor: request.body,
        device: request.portalCookie('device'),
        presented: request.presentedTokens()
      })
      const body = answerSignedIn(app, reply, signedIn)
      reply.clearPortalCookie('login')
      return body
    }
  })

  app.post('/logout', {
    config: { access: 'public', tag: 'auth', order: 170 },
    schema: {
      operationId: 'logout',
      summary: 'Sign out',
      description:
        'Ends the session of the cookie and clears the cookie. The response is the same when ' +
        'there is no cookie or it is no longer valid. If the end of the session cannot be ' +
        'stored, the cookie is kept so that the request can be repeated.',
      response: {
        204: NoContent('Signed out; the cookie is cleared', headers.setCookie),
        409: problem('The session is that of another user', 'other-user'),
        503: passingProblem('The end of the session could not be stored; the cookie is kept')
      }
    },
    handler: async (request, reply) => {
      const tokens = request.presentedTokens()
      const expected = request.headers[expectedHeader]
      const isOther = expected !== undefined && tokens.some(({ userId }) => userId !== expected)
      if (isOther) throw otherUser()
      await signOut(app.db, request.actor, { tokens })
      reply.clearPortalCookie('session')
      // The next sign-in with a provider asks for the account, whose session there goes on.
      if (app.config.providers.length > 0) reply.setPortalCookie('left', 'true')
    }
  })
}) satisfies FastifyPluginAsyncTypebox
