import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invalidFields } from '../../../src/domain/errors.ts'
import { manageGrant, manageRevoke, openScope } from '../../../src/domain/scopes/members.ts'
import { addGrantRoutes } from '../../../src/http/grant-routes.ts'
import { addMemberList } from '../../../src/http/scope-routes.ts'
import { closed, Id, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { RoleKey } from '../../../src/schemas/roles.ts'
import { JoinedScope, NewScope, ScopeKey } from '../../../src/schemas/scopes.ts'

const access = { permission: 'members:manage', scope: 'params.scope' } as const
const lacks = 'The caller lacks `members:manage` or a permission of the role'

export default (async (app) => {
  addMemberList(app, '/:scope/members', 'listMembers', { access, tag: 'scopes', order: 10 })

  addGrantRoutes(app, '/:scope/members/:id/roles/:role', {
    ...{ access, tag: 'scopes' },
    params: closed({ scope: ScopeKey, id: Id('User id'), role: RoleKey }),
    ...{ thing: 'role', owner: 'member', where: ' in a scope' },
    effect: "the member's next request",
    missing: ['user-not-found', 'role-not-found'],
    grant: {
      operationId: 'grantMemberRole',
      config: { order: 20 },
      note:
        ' The caller must hold the permissions of the role there. Users who are not members are ' +
        'invited.',
      run: async (db, actor, { id: userId, ...which }) =>
        manageGrant(db, actor, { userId, ...which }),
      refusals: {
        403: problem(lacks, 'exceeds-own-permissions'),
        409: problem('The role is not held in scopes', 'role-not-scoped')
      }
    },
    revoke: {
      operationId: 'revokeMemberRole',
      // Members without `members:manage` leave with it.
      config: { access: 'session', protects: true },
      note:
        ' The caller must hold the permissions of the role there, or be the member, who leaves ' +
        'the scope with the last role. The last manager of a scope stays.',
      run: async (db, actor, { id: userId, ...which }) =>
        manageRevoke(db, actor, { userId, ...which }),
      refusals: {
        403: problem(
          `${lacks}, or gives up a role that requires a second factor without a recent ` +
            'authentication',
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
    }
  })

  const { SCOPES_SELF } = app.config
  if (SCOPES_SELF === undefined) return
  const roleOf = new Map(SCOPES_SELF.split(',').map((each) => each.split(':') as [string, string]))
  app.post('', {
    config: { access: 'session', tag: 'scopes', order: 5 },
    schema: {
      operationId: 'openScope',
      summary: 'Open a scope',
      description:
        'Opens a scope with a new name, in which the signed-in user gets the role that ' +
        '`SCOPES_SELF` has for its kind. Without this setting the operation does not exist.',
      body: ref(NewScope),
      response: {
        201: ref(JoinedScope, 'The new scope, and the role of the user there'),
        404: problem('The role of `SCOPES_SELF` does not exist', 'role-not-found'),
        409: problem(
          'The role of `SCOPES_SELF` is not held in scopes, or the user is in too many scopes',
          'role-not-scoped',
          'too-many-members'
        )
      }
    },
    handler: async (request) => {
      const { kind } = request.body
      const role = roleOf.get(kind)
      if (role === undefined) {
        const message = `Must be ${[...roleOf.keys()].join(' or ')}`
        throw invalidFields({ pointer: '/kind', code: 'not-allowed', message })
      }
      return openScope(app.db, request.self, { kind, role })
    }
  })
}) satisfies FastifyPluginAsyncTypebox
