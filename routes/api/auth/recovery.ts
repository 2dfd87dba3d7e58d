import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { revertEmail, revertFactors } from '../../../src/domain/accounts/recovery-links.ts'
import {
  endKeysByLink,
  recoverAccount,
  requestRecovery,
  restoreByLink
} from '../../../src/domain/accounts/recovery.ts'
import { Accepted, LinkToken, PasswordReset, Recovery } from '../../../src/schemas/emails.ts'
import { NoContent, ref } from '../../../src/schemas/primitives.ts'
import { byLink, problem, tooMany } from '../../../src/schemas/problem.ts'
import { proofHeader } from '../../../src/schemas/proofs.ts'

export default (async (app) => {
  app.post('/recovery', {
    config: { access: 'public', tag: 'auth', order: 80 },
    schema: {
      operationId: 'requestRecovery',
      summary: 'Request a link to set a new password',
      description:
        'Sends a link to the owner of the account with this e-mail address. The response is ' +
        'the same if there is none: then nothing is sent. The link is valid for 30 minutes.',
      headers: proofHeader,
      body: ref(Recovery),
      response: {
        202: ref(Accepted, 'If there is such an account, a link is sent to its owner'),
        403: problem(
          'The portal sends no mail, or the domain of the address requires a provider',
          'mail-off',
          'provider-required'
        ),
        429: tooMany
      }
    },
    handler: async (request) => {
      const input = { ...request.body, ...request.presentedProof() }
      await requestRecovery(app.context, request.actor, input)
      return {}
    }
  })

  app.post('/recovery/confirm', {
    config: { access: 'public', tag: 'auth', order: 90 },
    schema: {
      operationId: 'recoverAccount',
      summary: 'Set a new password with a link',
      description:
        'Sets a new password and ends every session of the user, and with a mailed link the API ' +
        'keys that a session with one proved factor created in the last 72 hours. Does not sign ' +
        'in. Second factors stay, unless this is the first proof that the address belongs to ' +
        'the user: then whatever was added before is removed. A password that is not acceptable ' +
        'leaves the link valid.',
      body: ref(PasswordReset),
      response: { ...byLink, 204: NoContent('The password was set; every session has ended') }
    },
    handler: async (request) => recoverAccount(app.context, request.actor, request.body)
  })

  app.post('/restore', {
    config: { access: 'public', tag: 'auth', order: 95 },
    schema: {
      operationId: 'restoreAccount',
      summary: 'Restore an account before it is deleted',
      description:
        'Cancels the deletion that the user has planned, with the token of the link in the mail ' +
        'about it. Does not sign in. The link is valid until the account is deleted.',
      body: ref(LinkToken),
      response: { ...byLink, 204: NoContent('The account is restored') }
    },
    handler: async (request) => restoreByLink(app.context, request.actor, request.body)
  })

  app.post('/keys/end', {
    config: { access: 'public', tag: 'auth', order: 96 },
    schema: {
      operationId: 'endKeysByLink',
      summary: 'Revoke all API keys of a user with a link',
      description:
        'Revokes every API key of the user, with the token of the link in the mail about a new ' +
        'password that lists them. Does not sign in. The link is valid for 72 hours.',
      body: ref(LinkToken),
      response: { ...byLink, 204: NoContent('The keys are revoked') }
    },
    handler: async (request) => endKeysByLink(app.context, request.actor, request.body)
  })

  app.post('/email/revert', {
    config: { access: 'public', tag: 'auth', order: 100 },
    schema: {
      operationId: 'revertEmail',
      summary: 'Take an account back after its e-mail address was changed',
      description:
        'Restores the address that the link was sent to, sets a new password, ends every ' +
        'session of the user, and removes the second factors and recovery codes that were ' +
        'added since the change. Older factors stay. Does not sign in. The link is valid for ' +
        '72 hours after the change.',
      body: ref(PasswordReset),
      response: {
        204: NoContent('The address is restored; every session has ended'),
        ...byLink,
        409: problem('Another account uses the address now', 'email-taken')
      }
    },
    handler: async (request) => revertEmail(app.context, request.actor, request.body)
  })

  app.post('/factors/revert', {
    config: { access: 'public', tag: 'auth', order: 110 },
    schema: {
      operationId: 'revertFactors',
      summary: 'Take an account back after somebody added a second factor',
      description:
        'Does the same as `revertEmail`, with the link in the mail about a second factor that ' +
        'was added with the password alone: removes this factor and what was added since, ' +
        'restores the address that the link was sent to if it was changed since, sets a new ' +
        'password and ends every session of the user. Does not sign in. The link is valid for ' +
        '72 hours after the factor was added.',
      body: ref(PasswordReset),
      response: {
        204: NoContent('The factor is removed; every session has ended'),
        ...byLink,
        409: problem('Another account uses the address now', 'email-taken')
      }
    },
    handler: async (request) => revertFactors(app.context, request.actor, request.body)
  })
}) satisfies FastifyPluginAsyncTypebox
