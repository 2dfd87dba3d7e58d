import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { showPendingLogin } from '../../../src/domain/sign-in/second-step.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { SecondFactorDue } from '../../../src/schemas/sessions.ts'

export default (async (app) => {
  app.get('/login/pending', {
    config: { access: 'public', tag: 'auth', order: 55 },
    schema: {
      operationId: 'getPendingLogin',
      summary: 'Get the sign-in that waits for a second factor',
      description:
        'Returns what `login` returns with status 202, for a page that a provider has led the ' +
        'browser to. It reads the login cookie.',
      response: {
        200: ref(SecondFactorDue, 'A second factor is needed'),
        401: problem('No sign-in waits for a second factor in this browser', 'login-expired')
      }
    },
    handler: async (request) => showPendingLogin(app.context, request.portalCookie('login'))
  })
}) satisfies FastifyPluginAsyncTypebox
