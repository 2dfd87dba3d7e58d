import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { signOut } from '../../../src/domain/sessions/sign-out.ts'
import { headers, NoContent } from '../../../src/schemas/primitives.ts'
import { passingProblem } from '../../../src/schemas/problem.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/logout', {
    config: { access: 'public', tag: 'auth', order: 170 },
    bodyLimit: 4096,
    schema: {
      operationId: 'logout',
      summary: 'Sign out',
      description:
        'Ends the session of the cookie and clears the cookie. The response is the same when ' +
        'there is no cookie or it is no longer valid. If the end of the session cannot be ' +
        'stored, the cookie is kept so that the request can be repeated.',
      response: {
        204: NoContent('Signed out; the cookie is cleared', headers.setCookie),
        503: passingProblem('The end of the session could not be stored; the cookie is kept')
      }
    },
    handler: async (request, reply) => {
      await signOut(app.db, request.actor, { tokens: request.presentedSessions() })
      reply.clearSessionCookie()
    }
  })
}

export default routes
