import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { beginTotp, confirmTotp, removeTotp } from '../../../src/domain/accounts/second-factor.ts'
import { RecoveryCodes, TotpConfirmation, TotpEnrolment } from '../../../src/schemas/factors.ts'
import { headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  app.post('/totp', {
    config: { access: 'session', tag: 'user', order: 120 },
    schema: {
      operationId: 'beginTotp',
      summary: 'Begin to set up an authenticator app',
      description:
        'Creates a secret for the app (RFC 6238: SHA-1, 6 digits, 30 seconds), which ' +
        '`confirmTotp` puts into use. Until then, an app that was set up before keeps working. ' +
        'A second call in the same session replaces the secret of the first; other sessions ' +
        'can neither confirm it nor replace it. Requires a recent authentication and, where ' +
        'mail is sent, a confirmed e-mail address.',
      response: {
        200: ref(TotpEnrolment, 'The secret, which is not shown again'),
        403: problem(
          'There is no recent authentication, or the e-mail address is not confirmed',
          'reauthentication-required',
          'email-unverified'
        )
      }
    },
    handler: async (request) =>
      beginTotp(app.context, request.self, { issuer: app.config.PRODUCT_NAME })
  })

  app.post('/totp/confirm', {
    config: { access: 'session', tag: 'user', order: 130 },
    schema: {
      operationId: 'confirmTotp',
      summary: 'Confirm an authenticator app with its first code',
      description:
        'Puts the app into use: from now on, signing in with the password also requires a second ' +
        'factor. Replaces all recovery codes and returns the new ones. The assurance of the ' +
        'session becomes 2, and it gets a new cookie: the previous one is no longer valid. If ' +
        'the app replaces another one, that one no longer works. If it does, or is the first ' +
        'second factor of the user, every other session of the user ends. Links to change the ' +
        'address that were sent before no longer work. Requires a recent authentication.',
      body: ref(TotpConfirmation),
      response: {
        200: ref(
          RecoveryCodes,
          'The app is set up; Set-Cookie carries the new session cookie',
          headers.setCookie
        ),
        400: problem(
          'A field is not valid, or the link is not valid for this user',
          'invalid-token'
        ),
        403: problem(
          'The code is wrong, the e-mail address is not confirmed, an enrolment token is ' +
            'required, there is no recent authentication, or the domain of the e-mail address ' +
            'requires a provider',
          'wrong-code',
          'email-unverified',
          'enrolment-token-required',
          'reauthentication-required',
          'provider-required'
        ),
        409: problem('There is no app to confirm in this session', 'enrolment-not-begun')
      }
    },
    handler: async (request, reply) => {
      const { recoveryCodes, session, secret, device } = await confirmTotp(
        app.context,
        request.self,
        request.body
      )
      reply.setPortalCookie('session', app.sessionTokens.sign(session, secret))
      if (device !== undefined) reply.setPortalCookie('device', device)
      return { recoveryCodes }
    }
  })

  app.delete('/totp', {
    config: { access: 'session', protects: true, tag: 'user' },
    schema: {
      operationId: 'removeTotp',
      summary: 'Remove the authenticator app',
      description:
        'Ends every other session of the user. With the last second factor, the recovery codes ' +
        'are deleted as well, and the assurance of the session becomes 1. Requires a recent ' +
        'authentication.',
      response: {
        204: NoContent('The authenticator app is removed'),
        403: problem('There is no recent authentication', 'reauthentication-required'),
        409: problem('It is the last second factor, and one is required', 'last-second-factor')
      }
    },
    handler: async (request) => removeTotp(app.context, request.self)
  })
}) satisfies FastifyPluginAsyncTypebox
