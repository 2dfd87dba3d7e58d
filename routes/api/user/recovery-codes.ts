import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { renewRecoveryCodes } from '../../../src/domain/accounts/second-factor.ts'
import { RecoveryCodes } from '../../../src/schemas/factors.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/recovery-codes', {
    config: { access: 'session', tag: 'user', order: 170 },
    schema: {
      operationId: 'renewRecoveryCodes',
      summary: 'Replace the recovery codes',
      description:
        'Returns new recovery codes, and makes all earlier ones invalid. Requires a recent ' +
        'authentication with a second factor.',
      response: {
        200: ref(RecoveryCodes, 'The new codes, which are not shown again'),
        403: problem(
          'There is no recent authentication with a second factor',
          'reauthentication-required'
        ),
        409: problem('The user has no second factor', 'no-second-factor')
      }
    },
    handler: async (request) => ({
      recoveryCodes: await renewRecoveryCodes(app.services, request.self)
    })
  })
}

export default routes
