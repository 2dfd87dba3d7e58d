import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { provePasskey } from '../../../src/domain/sign-in/passkey-sign-in.ts'
import { proveCode, provePassword } from '../../../src/domain/sign-in/reauthentication.ts'
import { Reauthentication } from '../../../src/schemas/factors.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany, uncheckable } from '../../../src/schemas/problem.ts'
import { Reauthenticated } from '../../../src/schemas/sessions.ts'

export default (async (app) => {
  app.post('/reauthenticate', {
    config: { access: 'session', protects: true, tag: 'auth', order: 160 },
    schema: {
      operationId: 'reauthenticate',
      summary: 'Authenticate again',
      description:
        'Accepts the password, a code from the authenticator app, or a passkey (with the ' +
        'options from `/api/auth/reauthenticate/options`). Some changes require an ' +
        'authentication in the last ten minutes, and are otherwise rejected with 403 ' +
        '`reauthentication-required`. A second factor also raises the assurance of the session ' +
        'to 2. The session gets a new cookie: the previous one is no longer valid. If the ' +
        'account needs a second factor, the password is not accepted.',
      body: ref(Reauthentication),
      response: {
        200: ref(
          Reauthenticated,
          'Authenticated; Set-Cookie carries the new session cookie',
          headers.setCookie
        ),
        403: problem(
          'The password, code or passkey is wrong, the account needs a second factor, or the ' +
            'domain of its e-mail address requires a provider',
          'wrong-password',
          'wrong-code',
          'wrong-passkey',
          'reauthentication-required',
          'provider-required'
        ),
        429: tooMany,
        503: uncheckable
      }
    },
    handler: async (request, reply) => {
      const { self } = request
      const { password, credential, code = '' } = request.body
      const { session, secret } = await (password !== undefined
        ? provePassword(app.context, self, password)
        : credential !== undefined
          ? provePasskey(app.context, self, credential)
          : proveCode(app.context, self, { code, device: request.portalCookie('device') }))
      reply.setPortalCookie('session', app.sessionTokens.sign(session, secret))
      return { session }
    }
  })
}) satisfies FastifyPluginAsyncTypebox
