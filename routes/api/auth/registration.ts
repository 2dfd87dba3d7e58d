import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { registerInvited } from '../../../src/domain/accounts/invited-registration.ts'
import { askChallenge } from '../../../src/domain/guard/guard.ts'
import { acceptInvitation } from '../../../src/domain/scopes/invitations.ts'
import { confirmAddress } from '../../../src/domain/sign-in/confirmation.ts'
import { registerUser, requestAccount } from '../../../src/domain/sign-in/registration.ts'
import { answerFirstStep } from '../../../src/http/cookies.ts'
import { Confirmation, ConfirmationSent, LinkToken } from '../../../src/schemas/emails.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { byLink, noRegistration, problem } from '../../../src/schemas/problem.ts'
import { ChallengeIfNeeded, ChallengeRequest, proofHeader } from '../../../src/schemas/proofs.ts'
import { InvitedRegistration, JoinedScope } from '../../../src/schemas/scopes.ts'
import { Registered, signsIn } from '../../../src/schemas/sessions.ts'
import { Registration } from '../../../src/schemas/users.ts'

const notInvited = problem(
  'A field is not valid; or the link has expired, was used or withdrawn, or its sender may no ' +
    'longer grant the role',
  'invalid-token'
)

export default (async (app) => {
  app.post('/register', {
    config: { access: 'public', tag: 'auth', order: 20 },
    schema: {
      operationId: 'register',
      summary: 'Register an account',
      description:
        'Creates an account with the role `user`. Does not sign the user in: no session starts ' +
        'and no cookie is set. Only a bcrypt hash of the password is stored. Where e-mail ' +
        'addresses must be confirmed, the account is created when its owner confirms the address ' +
        'with the link that is sent to it, and a registered address gets the same response.',
      headers: proofHeader,
      body: ref(Registration),
      response: {
        201: ref(Registered, 'The account was created'),
        202: ref(ConfirmationSent, 'A mail was sent to the address'),
        409: problem('An account with this e-mail address already exists', 'email-taken'),
        ...noRegistration
      }
    },
    handler: async (request, reply) => {
      const input = {
        ...request.body,
        ...request.presentedProof(),
        locale: request.mailLocale()
      }
      const { mail } = app.context
      if (mail?.verification !== 'required') {
        const user = await registerUser(app.context, request.actor, input)
        return reply.code(201).send({ user })
      }
      await requestAccount({ ...app.context, mail }, request.actor, input)
      return reply.code(202).send({ status: 'confirmation-sent' as const })
    }
  })

  app.post('/challenge', {
    config: { access: 'public', tag: 'auth', order: 15, changesNothing: true },
    schema: {
      operationId: 'getChallenge',
      summary: 'Get a challenge before a call that sends mail',
      description:
        'Returns the challenge whose solution `register`, `requestRecovery`, ' +
        '`requestVerification` or `setOwnEmail` needs for this address now, so that a client can ' +
        'solve it early. Without it, the call is rejected with the same challenge.',
      body: ref(ChallengeRequest),
      response: { 200: ref(ChallengeIfNeeded, 'The challenge, if one is needed') }
    },
    handler: async (request) => askChallenge(app.context, request.actor, request.body)
  })

  app.post('/confirm', {
    config: { access: 'public', tag: 'auth', order: 30 },
    schema: {
      operationId: 'confirmAddress',
      summary: 'Confirm an e-mail address',
      description:
        'Confirms the address of a registration, or of an account that signed in without a ' +
        'confirmed address, and signs in. It takes the token of the link and the password that ' +
        'was chosen, so that neither a program that opens the link nor a stranger who opens ' +
        'the mail can confirm. Five wrong passwords invalidate the token.',
      body: ref(Confirmation),
      response: {
        ...signsIn,
        ...byLink,
        401: problem('The password is wrong', 'invalid-credentials'),
        403: problem(
          'Registration was closed before the address was confirmed, or its domain requires a ' +
            'provider',
          'registration-closed',
          'provider-required'
        )
      }
    },
    handler: async (request, reply) => {
      const presented = request.presentedTokens()
      const input = { ...request.body, presented }
      return answerFirstStep(app, reply, await confirmAddress(app.context, request.actor, input))
    }
  })

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
        400: notInvited,
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
        ...signsIn,
        ...noRegistration,
        400: notInvited,
        409: problem(
          'An account with this e-mail address already exists, or the scope has too many members',
          'email-taken',
          'too-many-members'
        )
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
