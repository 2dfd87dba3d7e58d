import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { setSecondFactor } from '../../../src/domain/accounts/second-factor.ts'
import { SecondFactorSetting } from '../../../src/schemas/factors.ts'
import { headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put('/second-factor', {
    config: { access: 'session', tag: 'user', order: 180 },
    schema: {
      operationId: 'setSecondFactor',
      summary: 'Set whether signing in requires a second factor',
      description:
        'With `required`, the password alone is not enough to sign in. Confirming an ' +
        'authenticator app sets it; adding a passkey does not. Links to change the address ' +
        'that were sent before no longer work then. Requires a recent authentication.',
      body: ref(SecondFactorSetting),
      response: {
        204: NoContent(
          'The setting is stored; if a second factor is now required and was not before, ' +
            'Set-Cookie carries a new device cookie',
          headers.setCookie
        ),
        403: problem('There is no recent authentication', 'reauthentication-required'),
        409: problem(
          'The user has no second factor, or a role requires it',
          'no-second-factor',
          'second-factor-required'
        )
      }
    },
    handler: async (request, reply) => {
      const device = await setSecondFactor(app.services, request.self, request.body)
      if (device !== undefined) reply.setDeviceCookie(device)
    }
  })
}

export default routes
