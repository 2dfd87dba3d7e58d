import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createPermission,
  deletePermission,
  findPermission,
  listPermissions,
  updatePermission
} from '../../../src/domain/access/custom-permissions.ts'
import { windowOf } from '../../../src/http/inputs.ts'
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
/**
 * This example exists in every database; the other operations use the permission that the example
 * of POST creates.
 */
const existing = closed({ key: { ...PermissionKey, examples: ['users:read'] } })
const missing = problem('No permission has this key', 'permission-not-found')

export default (async (app) => {
  app.get('/permissions', {
    config: { access: { permission: 'permissions:read' }, tag: 'permissions' },
    schema: {
      operationId: 'listPermissions',
      summary: 'List permissions',
      description: 'Returns all permissions, sorted by key by default.',
      querystring: listQuery(['key', '-createdAt'], {}),
      response: { 200: ref(PermissionPage, 'A page of permissions', headers.link) }
    },
    handler: async (request, reply) => reply.page(await listPermissions(app.db, windowOf(request)))
  })

  app.post('/permissions', {
    config: { access: { permission: 'permissions:create' }, tag: 'permissions' },
    schema: {
      operationId: 'createPermission',
      summary: 'Create a permission',
      description:
        'Creates a permission for the app to check; the app gets the permissions of a user ' +
        'from `GET /api/auth/me`. The role `admin` is granted the permission at once.',
      body: ref(NewPermission),
      response: {
        201: ref(Permission, 'The created permission', headers.location),
        409: problem('A permission with this key already exists', 'permission-exists')
      }
    },
    handler: async (request, reply) => {
      const permission = await createPermission(app.db, request.actor, request.body)
      reply.header('location', `/api/admin/permissions/${permission.key}`)
      return permission
    }
  })

  app.get('/permissions/:key', {
    config: { access: { permission: 'permissions:read' }, tag: 'permissions' },
    schema: {
      operationId: 'getPermission',
      summary: 'Get a permission',
      description: 'Returns a permission.',
      params: existing,
      response: { 200: ref(Permission, 'The permission'), 404: missing }
    },
    handler: async (request) => findPermission(app.db, request.params.key)
  })

  app.patch('/permissions/:key', {
    config: { access: { permission: 'permissions:update' }, tag: 'permissions' },
    schema: {
      operationId: 'updatePermission',
      summary: 'Update a permission',
      description: 'Changes the description. The key cannot change, because apps refer to it.',
      params,
      body: ref(PermissionPatch),
      response: { 200: ref(Permission, 'The updated permission'), 404: missing }
    },
    handler: async (request) =>
      updatePermission(app.db, request.actor, { key: request.params.key, changes: request.body })
  })

  app.delete('/permissions/:key', {
    config: { access: { permission: 'permissions:delete' }, tag: 'permissions' },
    schema: {
      operationId: 'deletePermission',
      summary: 'Delete a permission',
      description: 'Removes the permission from every role, effective with the next request.',
      params,
      response: {
        204: NoContent('The permission was deleted'),
        403: problem(
          'The caller lacks `permissions:delete` or the permission to be deleted',
          'exceeds-own-permissions'
        ),
        404: missing,
        409: problem('The permission is part of the portal', 'system-entity')
      }
    },
    handler: async (request) => deletePermission(app.db, request.actor, request.params)
  })
}) satisfies FastifyPluginAsyncTypebox
