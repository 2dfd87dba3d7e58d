import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { grantPermission, revokePermission } from '../../../src/domain/access/memberships.ts'
import { addGrantRoutes } from '../../../src/http/grant-routes.ts'
import { closed } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { PermissionKey, RoleKey } from '../../../src/schemas/roles.ts'

const exceeds = (done: string) =>
  problem(
    `The caller lacks \`roles:update\` or the permission to be ${done}`,
    'exceeds-own-permissions'
  )

export default (async (app) => {
  addGrantRoutes(app, '/roles/:key/permissions/:permission', {
    access: { permission: 'roles:update' },
    tag: 'roles',
    // The example of a permission exists in every database; POST creates that of a role.
    params: closed({ key: RoleKey, permission: { ...PermissionKey, examples: ['activity:read'] } }),
    ...{ thing: 'permission', owner: 'role' },
    effect: 'the next request of each user who has the role',
    missing: ['role-not-found', 'permission-not-found'],
    grant: {
      operationId: 'grantPermission',
      run: async (db, actor, { key: role, permission }) =>
        grantPermission(db, actor, { role, permission }),
      refusals: { 403: exceeds('granted') }
    },
    revoke: {
      operationId: 'revokePermission',
      run: async (db, actor, { key: role, permission }) =>
        revokePermission(db, actor, { role, permission }),
      refusals: {
        403: exceeds('revoked'),
        409: problem('The role is `admin`, which always has every permission', 'system-entity')
      }
    }
  })
}) satisfies FastifyPluginAsyncTypebox
