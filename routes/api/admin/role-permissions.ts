import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { grantPermission, revokePermission } from '../../../src/domain/access/memberships.ts'
import { closed, NoContent } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { PermissionKey, RoleKey } from '../../../src/schemas/roles.ts'

const params = closed({ key: RoleKey, permission: PermissionKey })
const missing = problem('There is no such role or permission')

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    '/roles/:key/permissions/:permission',
    {
      config: { access: { permission: 'roles:update' } },
      schema: {
        operationId: 'grantPermission',
        summary: 'Add a permission to a role',
        description:
          'Counts on the next request of everybody who has the role. Nothing happens when it is there.',
        tags: ['roles'],
        params,
        response: {
          204: NoContent('The role has the permission'),
          403: problem('The permission roles:update is missing, or the one to add'),
          404: missing
        }
      }
    },
    async (request, reply) => {
      await grantPermission(app.db, request.actor, request.params.key, request.params.permission)
      return reply.code(204).send()
    }
  )

  app.delete(
    '/roles/:key/permissions/:permission',
    {
      config: { access: { permission: 'roles:update' } },
      schema: {
        operationId: 'revokePermission',
        summary: 'Take a permission from a role',
        description:
          'Counts on the next request of everybody who has the role. Nothing happens when it is not there.',
        tags: ['roles'],
        params,
        response: {
          204: NoContent('The role does not have the permission'),
          403: problem('The permission roles:update is missing, or the one to be taken'),
          404: missing,
          409: problem('The role `admin` keeps every permission')
        }
      }
    },
    async (request, reply) => {
      await revokePermission(app.db, request.actor, request.params.key, request.params.permission)
      return reply.code(204).send()
    }
  )
}

export default routes
