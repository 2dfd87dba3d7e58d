import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { deleteScope } from '../domain/scopes/deletion.ts'
import { findScope, listMembers } from '../domain/scopes/list.ts'
import { grantInScope, revokeInScope } from '../domain/scopes/members.ts'
import { windowOf } from './inputs.ts'
import type { Caller } from './callers.ts'
import { addGrantRoutes } from './grant-routes.ts'
import { listQuery } from '../schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../schemas/primitives.ts'
import { problem } from '../schemas/problem.ts'
import { RoleKey } from '../schemas/roles.ts'
import { MemberPage, Scope, ScopeKey } from '../schemas/scopes.ts'

const params = closed({ scope: ScopeKey })
const missing = problem('Nobody has a role in the scope', 'scope-not-found')
const exceedsOrUnproved = (whose: string) =>
  problem(
    `The caller lacks \`users:update\` or a permission of ${whose}, or gives up a role of their ` +
      'own that requires a second factor without a recent authentication',
    'exceeds-own-permissions',
    'reauthentication-required'
  )

/** Adds the list of the members of a scope. */
export function addMemberList(
  instance: FastifyInstance,
  url: '/scopes/:scope/members' | '/:scope/members',
  operationId: string,
  config: FastifyContextConfig
) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.get(url, {
    config,
    schema: {
      operationId,
      summary: 'List the members of a scope',
      description:
        'Returns the users with roles in the scope, and their roles there. The page is empty ' +
        'when there is no such scope.',
      params,
      querystring: listQuery(['id'], {}),
      response: { 200: ref(MemberPage, 'A page of members', headers.link) }
    },
    handler: async (request, reply) => {
      return reply.page(await listMembers(app.db, request.params.scope, windowOf(request)))
    }
  })
}

/** Adds the routes that show and delete a scope, and grant roles in it. */
export function addScopeRoutes(instance: FastifyInstance, { config, name }: Caller) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/scopes/:scope', {
    config: config('users:read', 'users'),
    schema: {
      operationId: name('getScope'),
      summary: 'Get a scope',
      description: 'Returns the number of members. A scope exists while somebody has a role in it.',
      params,
      response: { 200: ref(Scope, 'The scope'), 404: missing }
    },
    handler: async (request) => findScope(app.db, request.params.scope)
  })

  app.delete('/scopes/:scope', {
    config: config('users:update', 'users'),
    schema: {
      operationId: name('deleteScope'),
      summary: 'Delete a scope',
      description:
        'Members lose their roles in the scope, effective with their next request, and its ' +
        'invitations end. Nobody gets a role in it for 90 days. Members of a large scope are ' +
        'removed in batches: after a 503, repeat the request to continue.',
      params,
      response: {
        204: NoContent('The scope was deleted'),
        403: exceedsOrUnproved('a role in the scope'),
        404: missing
      }
    },
    handler: async (request) => deleteScope(app.db, request.actor, request.params.scope)
  })

  const operationId = name('listMembersOfScope')
  addMemberList(app, '/scopes/:scope/members', operationId, config('users:read', 'users'))
  addGrantRoutes(app, '/scopes/:scope/members/:user/roles/:key', {
    ...config('users:update', 'users'),
    params: closed({ scope: ScopeKey, user: Id('User id'), key: RoleKey }),
    ...{ thing: 'role', owner: 'user', where: ' in a scope' },
    effect: "the user's next request",
    missing: ['user-not-found', 'role-not-found'],
    grant: {
      operationId: name('grantInScope'),
      run: async (db, actor, { scope, user, key }) =>
        grantInScope(db, actor, { scope, userId: user, role: key }),
      refusals: {
        403: problem(
          'The caller lacks `users:update` or a permission of the role',
          'exceeds-own-permissions'
        ),
        409: problem(
          'The role is held everywhere, the scope was deleted less than 90 days ago, or it has ' +
            'too many members or the user too many scopes',
          'role-not-scoped',
          'scope-ended',
          'too-many-members'
        )
      }
    },
    revoke: {
      operationId: name('revokeInScope'),
      run: async (db, actor, { scope, user, key }) =>
        revokeInScope(db, actor, { scope, userId: user, role: key }),
      refusals: { 403: exceedsOrUnproved('the role') }
    }
  })
}
