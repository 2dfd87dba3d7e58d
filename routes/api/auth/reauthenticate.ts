import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { provePasskey } from '../../../src/domain/accounts/passkey-sign-in.ts'
import { proveCode, provePassword } from '../../../src/domain/accounts/reauthentication.ts'
import { Reauthentication } from '../../../src/schemas/factors.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany } from '../../../src/schemas/problem.ts'
import { Reauthenticated } from '../../../src/schemas/sessions.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/reauthenticate',
    {
      config: { access: 'session' },
      bodyLimit: 4096,
      schema: {
        operationId: 'reauthenticate',
        summary: 'Prove again who you are',
        description:
          'Takes the password, a code of the app, or a passkey (its options come from ' +
          '`/api/auth/reauthenticate/options`). Some changes need a proof that is at most ' +
          'ten minutes old: they answer 403 with the code `reauthentication-required`. A second ' +
          'factor also raises the assurance of the session to 2. The session gets a new cookie, ' +
          'and the previous one is no longer valid. If the account needs a second factor, the ' +
          'password proves nothing.',
        tags: ['auth'],
        body: ref(Reauthentication),
        response: {
          200: ref(
            Reauthenticated,
            'Proved; Set-Cookie carries the new session cookie',
            headers.setCookie
          ),
          403: problem('The proof is wrong, or the account needs a second factor'),
          429: tooMany
        }
      }
    },
    async (request, reply) => {
      const { self } = request
      const { password, credential, code = '' } = request.body
      const { session, secret } = await (password !== undefined
        ? provePassword(app.services, self, password)
        : credential !== undefined
          ? provePasskey(app.services, self, credential)
          : proveCode(app.services, self, { code, device: request.deviceCookie() }))
      reply.setSessionCookie(app.sessionTokens.sign(session, secret))
      return { session }
    }
  )
}

export default routes
