import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { grantPermission, revokePermission } from '../../../src/domain/access/memberships.ts'
import { closed, NoContent } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { PermissionKey, RoleKey } from '../../../src/schemas/roles.ts'

/**
 * The example of a permission exists in every database; that of a role is the one that the example
 * of POST creates.
 */
const params = closed({
  key: RoleKey,
  permission: { ...PermissionKey, examples: ['activity:read'] }
})
const missing = problem(
  'The role or the permission does not exist',
  'role-not-found',
  'permission-not-found'
)

export default (async (app) => {
  app.put('/roles/:key/permissions/:permission', {
    config: { access: { permission: 'roles:update' }, tag: 'roles' },
    schema: {
      operationId: 'grantPermission',
      summary: 'Grant a permission to a role',
      description:
        'Takes effect with the next request of each user who has the role. Has no effect when ' +
        'the role already has the permission.',
      params,
      response: {
        204: NoContent('The role now has the permission'),
        403: problem(
          'The caller lacks `roles:update` or the permission to be granted',
          'exceeds-own-permissions'
        ),
        404: missing
      }
    },
    handler: async (request) =>
      grantPermission(app.db, request.actor, {
        role: request.params.key,
        permission: request.params.permission
      })
  })

  app.delete('/roles/:key/permissions/:permission', {
    config: { access: { permission: 'roles:update' }, tag: 'roles' },
    schema: {
      operationId: 'revokePermission',
      summary: 'Revoke a permission from a role',
      description:
        'Takes effect with the next request of each user who has the role. Has no effect when ' +
        'the role does not have the permission.',
      params,
      response: {
        204: NoContent('The role no longer has the permission'),
        403: problem(
          'The caller lacks `roles:update` or the permission to be revoked',
          'exceeds-own-permissions'
        ),
        404: missing,
        409: problem('The role is `admin`, which always has every permission', 'system-entity')
      }
    },
    handler: async (request) =>
      revokePermission(app.db, request.actor, {
        role: request.params.key,
        permission: request.params.permission
      })
  })
}) satisfies FastifyPluginAsyncTypebox
