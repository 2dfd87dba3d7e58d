import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changePassword } from '../../../src/domain/accounts/credentials.ts'
import { headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { unproved } from '../../../src/schemas/problem.ts'
import { PasswordChange } from '../../../src/schemas/settings.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put('/password', {
    config: { access: 'session', tag: 'user', order: 190 },
    schema: {
      operationId: 'setOwnPassword',
      summary: "Set the current user's password",
      description:
        'Changes the password, ends every other session of the user and issues a new cookie ' +
        'for this session. The previous cookie is no longer valid. If the account needs a ' +
        'second factor, a recent authentication with it is required as well.',
      body: ref(PasswordChange),
      response: {
        204: NoContent(
          'The password was changed; Set-Cookie carries the new session cookie',
          headers.setCookie
        ),
        403: unproved
      }
    },
    handler: async (request, reply) => {
      const { session, secret, device } = await changePassword(
        app.services,
        request.self,
        request.body
      )
      reply.setSessionCookie(app.sessionTokens.sign(session, secret))
      reply.setDeviceCookie(device)
    }
  })
}

export default routes
