import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listMembers } from '../../../src/domain/scopes/list.ts'
import { manageGrant, manageRevoke } from '../../../src/domain/scopes/members.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { RoleKey } from '../../../src/schemas/roles.ts'
import { MemberPage, ScopeKey } from '../../../src/schemas/scopes.ts'

const access = { permission: 'members:manage', scope: 'params.scope' } as const
const membership = closed({ scope: ScopeKey, id: Id('User id'), role: RoleKey })

export default (async (app) => {
  app.get('/:scope/members', {
    config: { access, tag: 'scopes', order: 10 },
    schema: {
      operationId: 'listMembers',
      summary: 'List the members of a scope',
      description: 'Returns the users with a role in the scope, and their roles there.',
      params: closed({ scope: ScopeKey }),
      querystring: listQuery(['id'], {}),
      response: { 200: ref(MemberPage, 'A page of members', headers.link) }
    },
    handler: async (request, reply) =>
      reply.page(await listMembers(app.db, request.params.scope, windowOf(request)))
  })

  app.put('/:scope/members/:id/roles/:role', {
    config: { access, tag: 'scopes', order: 20 },
    schema: {
      operationId: 'grantMemberRole',
      summary: 'Grant a member another role in a scope',
      description:
        'Has no effect when the member has the role. The caller must hold its permissions there. ' +
        'Users who are not members are invited.',
      params: membership,
      response: {
        204: NoContent('The member has the role'),
        403: problem(
          'The caller lacks `members:manage` or a permission of the role',
          'exceeds-own-permissions'
        ),
        404: problem(
          'The scope has no member with this id, or no role has this key',
          'user-not-found',
          'role-not-found'
        ),
        409: problem('The role is not held in scopes', 'role-not-scoped')
      }
    },
    handler: async (request) => manageGrant(app.db, request.self, membershipOf(request.params))
  })

  app.delete('/:scope/members/:id/roles/:role', {
    // Members without `members:manage` leave with it.
    config: { access: 'session', protects: true, tag: 'scopes' },
    schema: {
      operationId: 'revokeMemberRole',
      summary: 'Revoke a role of a member in a scope',
      description:
        'Takes a role from a member, whose permissions the caller must hold there, or from the ' +
        'caller, who leaves the scope with the last one. Has no effect when the member lacks the ' +
        'role. The last manager of a scope stays.',
      params: membership,
      response: {
        204: NoContent('The member does not have the role'),
        403: problem(
          'The caller lacks `members:manage` or a permission of the role, or gives up a role ' +
            'that requires a second factor without a recent authentication',
          'permission-denied',
          'exceeds-own-permissions',
          'reauthentication-required'
        ),
        404: problem(
          'The caller has no role in the scope, it has no member with this id, or no role has ' +
            'this key',
          'scope-not-found',
          'user-not-found',
          'role-not-found'
        ),
        409: problem('Nobody else could manage the members', 'last-manager')
      }
    },
    handler: async (request) => manageRevoke(app.db, request.self, membershipOf(request.params))
  })
}) satisfies FastifyPluginAsyncTypebox

const membershipOf = ({ id, ...rest }: { scope: string; id: string; role: string }) => ({
  ...rest,
  userId: id
})
