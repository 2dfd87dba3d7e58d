import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  findSecurity,
  renewRecoveryCodes,
  requestEnrolmentLink,
  setSecondFactor
} from '../../../src/domain/accounts/second-factor.ts'
import { Accepted } from '../../../src/schemas/emails.ts'
import { RecoveryCodes, SecondFactorSetting, Security } from '../../../src/schemas/factors.ts'
import { headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { passingProblem, problem, tooMany } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  app.get('/security', {
    config: { access: 'session', tag: 'user', order: 100 },
    schema: {
      operationId: 'getSecurity',
      summary: "Get the current user's sign-in methods",
      description:
        'Returns how the user can sign in, which second factors they have, and which of their ' +
        'roles require one.',
      response: { 200: ref(Security, 'How the current user signs in') }
    },
    handler: async (request) => findSecurity(app.db, request.self)
  })

  app.post('/security/enrolment', {
    config: { access: 'session', tag: 'user', order: 110 },
    schema: {
      operationId: 'requestEnrolmentLink',
      summary: 'Send the link to set up the first second factor',
      description:
        'Sends a link to the confirmed e-mail address of the user. It is required when a role of ' +
        'the user requires a second factor and they have none, because a password alone must not ' +
        'be enough to set one up. The link is valid for 24 hours. None is sent for 72 hours ' +
        'after the password was set with a link from a mail: then an administrator can create one.',
      response: {
        202: ref(Accepted, 'A link was sent to the address'),
        403: problem(
          'The portal sends no mail, or the e-mail address is not confirmed',
          'mail-off',
          'email-unverified'
        ),
        409: passingProblem(
          'The user already has a second factor, none of their roles requires one, or the ' +
            'password was set with a link from a mail in the last 72 hours',
          'enrolment-link-not-needed',
          'enrolment-link-waits'
        ),
        429: tooMany
      }
    },
    handler: async (request) => {
      await requestEnrolmentLink(app.context, request.self)
      return {}
    }
  })

  app.post('/recovery-codes', {
    config: { access: 'session', protects: true, tag: 'user', order: 170 },
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
      recoveryCodes: await renewRecoveryCodes(app.context, request.self)
    })
  })

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
      const device = await setSecondFactor(app.context, request.self, request.body)
      if (device !== undefined) reply.setPortalCookie('device', device)
    }
  })
}) satisfies FastifyPluginAsyncTypebox
