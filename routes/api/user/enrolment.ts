import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requestEnrolmentLink } from '../../../src/domain/accounts/enrolment-links.ts'
import { Accepted } from '../../../src/schemas/emails.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { passingProblem, problem, tooMany } from '../../../src/schemas/problem.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
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
      await requestEnrolmentLink(app.services, request.self)
      return {}
    }
  })
}

export default routes
