import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { beginTotp, confirmTotp, removeTotp } from '../../../src/domain/accounts/totp-enrolment.ts'
import { RecoveryCodes, TotpConfirmation, TotpEnrolment } from '../../../src/schemas/factors.ts'
import { headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/totp',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'beginTotp',
        summary: 'Begin to set up an app for codes',
        description:
          'Creates a secret for an app (RFC 6238: SHA-1, 6 digits, 30 seconds). `confirmTotp` ' +
          'puts it into use; until then, an app that is set up already keeps working. A second ' +
          'call replaces the secret of the first. Needs a recent proof of who the user is.',
        tags: ['user'],
        response: {
          200: ref(TotpEnrolment, 'The secret, which is not shown again'),
          403: problem('There is no recent proof of who the user is')
        }
      }
    },
    async (request) => beginTotp(app.services, request.self, { issuer: app.config.PRODUCT_NAME })
  )

  app.post(
    '/totp/confirm',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'confirmTotp',
        summary: 'Confirm an app for codes with its first code',
        description:
          'From now on, signing in with the password also takes a code. Replaces all recovery ' +
          'codes and returns the new ones. The assurance of the session becomes 2, and it gets ' +
          'a new cookie: the previous one is no longer valid. An app that was set up before no ' +
          'longer works, and every other session of the user ends. Needs a recent proof of who ' +
          'the user is.',
        tags: ['user'],
        body: ref(TotpConfirmation),
        response: {
          200: ref(
            RecoveryCodes,
            'The app is set up; Set-Cookie carries the new session cookie',
            headers.setCookie
          ),
          400: problem('A field is not valid, or the link is not valid for this user'),
          403: problem(
            'The code is wrong, the token of a link is needed, or there is no recent proof of ' +
              'who the user is'
          ),
          409: problem('No app waits for its first code')
        }
      }
    },
    async (request, reply) => {
      const { recoveryCodes, session, secret } = await confirmTotp(
        app.services,
        request.self,
        request.body
      )
      reply.setSessionCookie(app.sessionTokens.sign(session, secret))
      return { recoveryCodes }
    }
  )

  app.delete(
    '/totp',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'removeTotp',
        summary: 'Remove the app for codes',
        description:
          'Ends every other session of the user. If it was the last second factor, the recovery ' +
          'codes are deleted with it. Needs a recent proof of who the user is.',
        tags: ['user'],
        response: {
          204: NoContent('There is no app for codes'),
          403: problem('There is no recent proof of who the user is'),
          409: problem('It is the last second factor, and one is required')
        }
      }
    },
    async (request, reply) => {
      await removeTotp(app.services, request.self)
      return reply.noContent()
    }
  )
}

export default routes
