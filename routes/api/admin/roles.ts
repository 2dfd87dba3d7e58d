import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createRole, findRole, updateRole } from '../../../src/domain/access/roles.ts'
import { deleteRole } from '../../../src/domain/access/role-deletion.ts'
import { person } from '../../../src/http/callers.ts'
import { addRoleList } from '../../../src/http/role-list.ts'
import { changesOf, whichOf } from '../../../src/http/inputs.ts'
import { ifMatch } from '../../../src/schemas/lists.ts'
import { closed, headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { changedSince, problem } from '../../../src/schemas/problem.ts'
import { NewRole, Role, RoleKey, RolePatch } from '../../../src/schemas/roles.ts'

const params = closed({ key: RoleKey })
/**
 * This example exists in every database; the other operations use the role that the example of POST
 * creates.
 */
const existing = closed({ key: { ...RoleKey, examples: ['user'] } })
const missing = problem('No role has this key', 'role-not-found')
const changed = changedSince('role')

export default (async (app) => {
  addRoleList(app, person)

  app.post('/roles', {
    config: { access: { permission: 'roles:create' }, tag: 'roles' },
    schema: {
      operationId: 'createRole',
      summary: 'Create a role',
      description: 'Creates a role. The caller must have every permission of the new role.',
      body: ref(NewRole),
      response: {
        201: ref(Role, 'The created role', { ...headers.location, ...headers.etag }),
        403: problem(
          'The caller lacks `roles:create` or a permission of the new role',
          'exceeds-own-permissions'
        ),
        409: problem('A role with this key already exists', 'role-exists')
      }
    },
    handler: async (request, reply) => {
      const role = await createRole(app.db, request.actor, request.body)
      reply.header('location', `/api/admin/roles/${role.key}`)
      return reply.withEtag(role)
    }
  })

  app.get('/roles/:key', {
    config: { access: { permission: 'roles:read' }, tag: 'roles' },
    schema: {
      operationId: 'getRole',
      summary: 'Get a role',
      description:
        'Returns a role with its permissions. Send its ETag in If-Match when you update or ' +
        'delete it.',
      params: existing,
      response: { 200: ref(Role, 'The role', headers.etag), 404: missing }
    },
    handler: async (request, reply) => reply.withEtag(await findRole(app.db, request.params.key))
  })

  app.patch('/roles/:key', {
    config: { access: { permission: 'roles:update' }, tag: 'roles' },
    schema: {
      operationId: 'updateRole',
      summary: 'Update a role',
      description:
        'Changes the name, the description, and whether the role requires a second factor. A ' +
        'change of the latter takes effect with the next request of the members, and requires ' +
        'that the caller has every permission of the role. The key cannot change, because ' +
        'flags and apps refer to it.',
      params,
      headers: ifMatch,
      body: ref(RolePatch),
      response: {
        200: ref(Role, 'The updated role', headers.etag),
        403: problem(
          'The caller lacks `roles:update`; or changes `requiresSecondFactor` and lacks a ' +
            'permission of the role; or clears it and lacks a permission of a member, or is ' +
            'a member without a recent authentication with the second factor',
          'exceeds-own-permissions',
          'reauthentication-required'
        ),
        404: missing,
        409: problem('The role is part of the portal and cannot be renamed', 'system-entity'),
        412: changed
      }
    },
    handler: async (request, reply) =>
      reply.withEtag(await updateRole(app.db, request.actor, changesOf(request)))
  })

  app.delete('/roles/:key', {
    config: { access: { permission: 'roles:delete' }, tag: 'roles' },
    schema: {
      operationId: 'deleteRole',
      summary: 'Delete a role',
      description:
        'Members lose the role, effective with their next request. Members of a large role are ' +
        'removed in batches: after a 503, repeat the request to continue.',
      params,
      headers: ifMatch,
      response: {
        204: NoContent('The role was deleted'),
        403: problem(
          'The caller lacks `roles:delete` or a permission of the role; or the role requires a ' +
            'second factor, and the caller lacks a permission of a member, or is a member ' +
            'without a recent authentication with the second factor',
          'exceeds-own-permissions',
          'reauthentication-required'
        ),
        404: missing,
        409: problem(
          'The role is part of the portal, or conditions of flags or segments name it',
          'system-entity',
          'role-in-use'
        ),
        412: changed
      }
    },
    handler: async (request) => deleteRole(app.db, request.actor, whichOf(request))
  })
}) satisfies FastifyPluginAsyncTypebox
