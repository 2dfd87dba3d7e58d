import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createRole,
  deleteRole,
  findRole,
  listRoles,
  updateRole
} from '../../../src/domain/access/roles.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { NewRole, Role, RoleKey, RolePage, RolePatch } from '../../../src/schemas/roles.ts'

const params = closed({ key: RoleKey })
const missing = problem('There is no role with this key')
const changed = problem('The role was changed since the revision that If-Match names')

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/roles',
    {
      config: { access: { permission: 'roles:read' } },
      schema: {
        operationId: 'listRoles',
        summary: 'List roles',
        description: 'All roles with their permissions, by key unless sorted otherwise.',
        tags: ['roles'],
        querystring: listQuery(['key', '-createdAt'], {}),
        response: { 200: ref(RolePage, 'A page of roles', headers.link) }
      }
    },
    async (request, reply) =>
      reply.page(await listRoles(app.db, { ...request.query, after: request.position() }))
  )

  app.post(
    '/roles',
    {
      config: { access: { permission: 'roles:create' } },
      schema: {
        operationId: 'createRole',
        summary: 'Make a role',
        description: 'Nobody makes a role that permits what they lack themselves.',
        tags: ['roles'],
        body: ref(NewRole),
        response: {
          201: ref(Role, 'The role was made', { ...headers.location, ...headers.etag }),
          403: problem('The permission roles:create is missing, or one that the role would have'),
          409: problem('There is a role with this key')
        }
      }
    },
    async (request, reply) => {
      const role = await createRole(app.db, request.actor, request.body)
      return reply
        .code(201)
        .header('location', `/api/admin/roles/${role.key}`)
        .send(reply.tagged(role))
    }
  )

  app.get(
    '/roles/:key',
    {
      config: { access: { permission: 'roles:read' } },
      schema: {
        operationId: 'getRole',
        summary: 'Read a role',
        description: 'One role with its permissions. The ETag serves a later change.',
        tags: ['roles'],
        params,
        response: { 200: ref(Role, 'The role', headers.etag), 404: missing }
      }
    },
    async (request, reply) => reply.tagged(await findRole(app.db, request.params.key))
  )

  app.patch(
    '/roles/:key',
    {
      config: { access: { permission: 'roles:update' } },
      schema: {
        operationId: 'updateRole',
        summary: 'Change a role',
        description:
          'Its name and description. The key never changes: flags and apps know the role by it.',
        tags: ['roles'],
        params,
        headers: ifMatch,
        body: ref(RolePatch),
        response: {
          200: ref(Role, 'The role as it is now', headers.etag),
          404: missing,
          409: problem('It is a role of the portal, which keeps its name'),
          412: changed
        }
      }
    },
    async (request, reply) =>
      reply.tagged(
        await updateRole(
          app.db,
          request.actor,
          request.params.key,
          request.body,
          request.expected()
        )
      )
  )

  app.delete(
    '/roles/:key',
    {
      config: { access: { permission: 'roles:delete' } },
      schema: {
        operationId: 'deleteRole',
        summary: 'Delete a role',
        description:
          'Nobody has it any more, from their next request on. The members of a large role lose it in steps: after a 503, repeat the request to go on.',
        tags: ['roles'],
        params,
        headers: ifMatch,
        response: {
          204: NoContent('The role is gone'),
          403: problem('The permission roles:delete is missing, or one that the role has'),
          404: missing,
          409: problem('It is a role of the portal'),
          412: changed
        }
      }
    },
    async (request, reply) => {
      await deleteRole(app.db, request.actor, request.params.key, request.expected())
      return reply.code(204).send()
    }
  )
}

export default routes
