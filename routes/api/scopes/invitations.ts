import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  invite,
  listInvitations,
  withdrawInvitation
} from '../../../src/domain/scopes/invitations.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { Invitation, InvitationPage, NewInvitation, ScopeKey } from '../../../src/schemas/scopes.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany } from '../../../src/schemas/problem.ts'
import { proofHeader } from '../../../src/schemas/proofs.ts'

const access = { permission: 'members:manage', scope: 'params.scope' } as const

export default (async (app) => {
  app.get('/:scope/invitations', {
    config: { access, tag: 'scopes', order: 30 },
    schema: {
      operationId: 'listInvitations',
      summary: 'List the open invitations to a scope',
      description: 'Returns the invitations that were not accepted and have not expired.',
      params: closed({ scope: ScopeKey }),
      querystring: listQuery(['-createdAt'], {}),
      response: { 200: ref(InvitationPage, 'A page of invitations', headers.link) }
    },
    handler: async (request, reply) =>
      reply.page(await listInvitations(app.db, request.params.scope, windowOf(request)))
  })

  app.post('/:scope/invitations', {
    config: { access, tag: 'scopes' },
    schema: {
      operationId: 'invite',
      summary: 'Invite somebody to a scope',
      description:
        'Sends a link to an address, valid for 7 days, whose owner gets the role by accepting ' +
        'it: with their account, or with a new one. The response is the same whether the address ' +
        'has an account. Another invitation to the same role replaces the first. The caller must ' +
        'hold the permissions of the role, now and when it is accepted, and ' +
        'with a mail server have a confirmed address.',
      params: closed({ scope: ScopeKey }),
      headers: proofHeader,
      body: ref(NewInvitation),
      response: {
        201: ref(Invitation, 'The invitation'),
        403: problem(
          'The caller lacks `members:manage` or a permission of the role, or, with a mail ' +
            'server, has not confirmed their address; or the portal sends no mail',
          'exceeds-own-permissions',
          'email-unverified',
          'mail-off'
        ),
        404: problem('No role has this key', 'role-not-found'),
        409: problem(
          'The role is not held in scopes, the scope was deleted, or 50 invitations are open',
          'role-not-scoped',
          'scope-ended',
          'too-many-invitations'
        ),
        429: tooMany
      }
    },
    handler: async (request) =>
      invite(app.context, request.self, {
        ...{ ...request.body, ...request.params, ...request.presentedProof() },
        locale: request.mailLocale()
      })
  })

  app.delete('/:scope/invitations/:id', {
    config: { access, protects: true, tag: 'scopes', order: 40 },
    schema: {
      operationId: 'withdrawInvitation',
      summary: 'Withdraw an invitation',
      description: 'Its link ends. The caller must hold the permissions of the role.',
      params: closed({ scope: ScopeKey, id: Id('Id of the invitation') }),
      response: {
        204: NoContent('The invitation was withdrawn'),
        403: problem(
          'The caller lacks `members:manage` or a permission of the role',
          'exceeds-own-permissions'
        ),
        404: problem('The scope has no invitation with this id', 'invitation-not-found')
      }
    },
    handler: async (request) => withdrawInvitation(app.db, request.self, request.params)
  })
}) satisfies FastifyPluginAsyncTypebox
