import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createPermission,
  deletePermission,
  findPermission,
  listPermissions,
  updatePermission
} from '../../../src/domain/access/custom-permissions.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import {
  NewPermission,
  Permission,
  PermissionKey,
  PermissionPage,
  PermissionPatch
} from '../../../src/schemas/roles.ts'

const params = closed({ key: PermissionKey })
const missing = problem('There is no permission with this key')

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/permissions',
    {
      config: { access: { permission: 'permissions:read' } },
      schema: {
        operationId: 'listPermissions',
        summary: 'List permissions',
        description: 'All permissions, by key unless sorted otherwise.',
        tags: ['permissions'],
        querystring: listQuery(['key', '-createdAt'], {}),
        response: { 200: ref(PermissionPage, 'A page of permissions', headers.link) }
      }
    },
    async (request, reply) =>
      reply.page(await listPermissions(app.db, { ...request.query, after: request.position() }))
  )

  app.post(
    '/permissions',
    {
      config: { access: { permission: 'permissions:create' } },
      schema: {
        operationId: 'createPermission',
        summary: 'Make a permission',
        description:
          "For the app to ask for: it reads a user's permissions from `me`. The role `admin` has it at once.",
        tags: ['permissions'],
        body: ref(NewPermission),
        response: {
          201: ref(Permission, 'The permission was made', headers.location),
          409: problem('There is a permission with this key')
        }
      }
    },
    async (request, reply) => {
      const permission = await createPermission(app.db, request.actor, request.body)
      return reply
        .code(201)
        .header('location', `/api/admin/permissions/${permission.key}`)
        .send(permission)
    }
  )

  app.get(
    '/permissions/:key',
    {
      config: { access: { permission: 'permissions:read' } },
      schema: {
        operationId: 'getPermission',
        summary: 'Read a permission',
        description: 'One permission.',
        tags: ['permissions'],
        params,
        response: { 200: ref(Permission, 'The permission'), 404: missing }
      }
    },
    async (request) => findPermission(app.db, request.params.key)
  )

  app.patch(
    '/permissions/:key',
    {
      config: { access: { permission: 'permissions:update' } },
      schema: {
        operationId: 'updatePermission',
        summary: 'Change a permission',
        description: 'Its description. The key never changes: the app asks for it.',
        tags: ['permissions'],
        params,
        body: ref(PermissionPatch),
        response: { 200: ref(Permission, 'The permission as it is now'), 404: missing }
      }
    },
    async (request) => updatePermission(app.db, request.actor, request.params.key, request.body)
  )

  app.delete(
    '/permissions/:key',
    {
      config: { access: { permission: 'permissions:delete' } },
      schema: {
        operationId: 'deletePermission',
        summary: 'Delete a permission',
        description: 'Every role that has it loses it, from the next request on.',
        tags: ['permissions'],
        params,
        response: {
          204: NoContent('The permission is gone'),
          403: problem('The permission permissions:delete is missing, or the one to be deleted'),
          404: missing,
          409: problem('It is a permission of the portal')
        }
      }
    },
    async (request, reply) => {
      await deletePermission(app.db, request.actor, request.params.key)
      return reply.code(204).send()
    }
  )
}

export default routes
