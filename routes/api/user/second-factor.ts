import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { setSecondFactor } from '../../../src/domain/accounts/second-factor.ts'
import { SecondFactorSetting } from '../../../src/schemas/factors.ts'
import { NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    '/second-factor',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'setSecondFactor',
        summary: 'Decide whether signing in takes a second factor',
        description:
          'With `required`, the password alone is not enough to sign in. It is set when an app ' +
          'for codes is set up; a user who has only passkeys decides. Needs a recent proof of ' +
          'who the user is.',
        tags: ['user'],
        body: ref(SecondFactorSetting),
        response: {
          204: NoContent('It is as wanted'),
          403: problem('There is no recent proof of who the user is'),
          409: problem('The user has no second factor, or a role requires it')
        }
      }
    },
    async (request, reply) => {
      await setSecondFactor(app.services, request.self, request.body)
      return reply.noContent()
    }
  )
}

export default routes
