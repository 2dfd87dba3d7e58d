import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { registerInvited } from '../../../src/domain/accounts/invited-registration.ts'
import { acceptInvitation } from '../../../src/domain/scopes/invitations.ts'
import { answerFirstStep } from '../../../src/http/cookies.ts'
import { LinkToken } from '../../../src/schemas/emails.ts'
import { InvitedRegistration, JoinedScope } from '../../../src/schemas/invitations.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'
import { passingProblem, problem, tooMany } from '../../../src/schemas/problem.ts'
import { SecondFactorDue, SignedIn } from '../../../src/schemas/sessions.ts'

const invalid = problem(
  'A field is not valid; or the link has expired, was used or withdrawn, or its sender may no ' +
    'longer grant the role',
  'invalid-token'
)

export default (async (app) => {
  app.post('/invitation', {
    config: { access: 'session', tag: 'auth', order: 34 },
    schema: {
      operationId: 'acceptInvitation',
      summary: 'Accept an invitation',
      description:
        'Takes the token of the link in the mail. The user must have confirmed the address that ' +
        'it was sent to; with another one the invitation stays open.',
      body: ref(LinkToken),
      response: {
        200: ref(JoinedScope, 'The role that the user has now'),
        400: invalid,
        403: problem('The invitation is for another address', 'email-differs'),
        409: problem(
          'The scope has too many members, or the user is in too many scopes',
          'too-many-members'
        )
      }
    },
    handler: async (request) => acceptInvitation(app.db, request.self, request.body.token)
  })

  app.post('/invitation/register', {
    config: { access: 'public', tag: 'auth', order: 35 },
    schema: {
      operationId: 'registerWithInvitation',
      summary: 'Register with an invitation',
      description:
        'Creates an account for the address that the invitation was sent to, accepts it and ' +
        'signs in. The address is confirmed, because the link was sent there.',
      body: ref(InvitedRegistration),
      response: {
        200: ref(
          SignedIn,
          'Registered and signed in; Set-Cookie carries the session cookie',
          headers.setCookie
        ),
        202: ref(
          SecondFactorDue,
          'Registered, but a second factor is needed, as for `login`',
          headers.setCookie
        ),
        400: invalid,
        403: problem(
          'Registration is closed, or refused by a rule or a hook, or the domain of the address ' +
            'requires a provider',
          'registration-closed',
          'domain-refused',
          'registration-refused',
          'provider-required'
        ),
        409: problem(
          'An account with this e-mail address already exists, or the scope has too many members',
          'email-taken',
          'too-many-members'
        ),
        429: tooMany,
        503: passingProblem('A hook could not say whether the account may exist', 'hook-failed')
      }
    },
    handler: async (request, reply) => {
      const input = {
        ...request.body,
        ...{ presented: request.presentedTokens(), locale: request.mailLocale() }
      }
      return answerFirstStep(app, reply, await registerInvited(app.context, request.actor, input))
    }
  })
}) satisfies FastifyPluginAsyncTypebox
