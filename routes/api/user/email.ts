import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  changeEmail,
  confirmEmail,
  findEmail,
  requestVerification
} from '../../../src/domain/accounts/emails.ts'
import { Accepted, Email, EmailChange, LinkToken } from '../../../src/schemas/emails.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany, unproved } from '../../../src/schemas/problem.ts'
import { proofHeader } from '../../../src/schemas/proofs.ts'

const addressConflict = problem(
  'An account with this e-mail address already exists; the roles of the user require a second ' +
    'factor, which must be set up first; or an organization manages one of the addresses',
  'email-taken',
  'no-second-factor',
  'managed-by-provider'
)

export default (async (app) => {
  app.get('/email', {
    config: { access: 'session', tag: 'user', order: 70 },
    schema: {
      operationId: 'getOwnEmail',
      summary: "Get the current user's e-mail address",
      description:
        'Returns the address, whether the user has confirmed it, and the new address while a ' +
        'change is not confirmed yet.',
      response: { 200: ref(Email, 'The e-mail address') }
    },
    handler: async (request) => findEmail(app.db, request.self)
  })

  app.put('/email', {
    config: { access: 'session', tag: 'user' },
    schema: {
      operationId: 'setOwnEmail',
      summary: "Set the current user's e-mail address",
      description:
        'Changes the e-mail address that the user signs in with. Requires the current password ' +
        'or a recent authentication; only the latter counts if the account needs a second ' +
        'factor. Where the portal sends mail, the address changes once the user has confirmed ' +
        'the new one with the link that is sent to it. The response is the same when another ' +
        'account has the address. Setting the current address cancels a change that is not ' +
        'confirmed yet.',
      headers: proofHeader,
      body: ref(EmailChange),
      response: {
        200: ref(Email, 'The new e-mail address'),
        202: ref(Email, 'A link was sent to the new address, which is `pending`'),
        403: { ...unproved, codes: [...unproved.codes, 'domain-refused'] },
        409: addressConflict
      }
    },
    handler: async (request, reply) => {
      const email = await changeEmail(app.context, request.self, {
        ...request.body,
        ...request.presentedProof()
      })
      return reply.code(email.pending === null ? 200 : 202).send(email)
    }
  })

  app.post('/email/confirm', {
    config: { access: 'session', tag: 'user', order: 90 },
    schema: {
      operationId: 'confirmOwnEmail',
      summary: 'Confirm an e-mail address of the current user',
      description:
        'Confirms the address that the link was sent to, and makes it the address of the ' +
        'account if it is a new one. The old address gets a link to restore it. A new address ' +
        'of an account that needs a second factor requires a recent authentication.',
      body: ref(LinkToken),
      response: {
        200: ref(Email, 'The confirmed e-mail address'),
        400: problem(
          'A field is not valid, or the link is not valid for this user',
          'invalid-token'
        ),
        403: problem(
          'The address is new, the account needs a second factor, and there is no recent ' +
            'authentication; the link stays valid',
          'reauthentication-required'
        ),
        409: addressConflict
      }
    },
    handler: async (request) =>
      confirmEmail(app.context, request.self, { ...request.body, locale: request.mailLocale() })
  })

  app.post('/email/verification', {
    config: { access: 'session', tag: 'user', order: 80 },
    schema: {
      operationId: 'requestVerification',
      summary: 'Resend the link that confirms the e-mail address',
      description: 'Sends a link to the current e-mail address of the user.',
      headers: proofHeader,
      response: {
        202: ref(Accepted, 'A link is sent to the address'),
        403: problem('The portal sends no mail', 'mail-off'),
        409: problem('The e-mail address is already confirmed', 'email-verified'),
        429: tooMany
      }
    },
    handler: async (request) => {
      await requestVerification(app.context, request.self, request.presentedProof())
      return {}
    }
  })
}) satisfies FastifyPluginAsyncTypebox
