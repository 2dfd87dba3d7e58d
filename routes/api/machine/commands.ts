import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readFeed } from '../../../src/domain/activity/feed.ts'
import { revokeUserSessions } from '../../../src/domain/sessions/revocation.ts'
import { machine } from '../../../src/http/callers.ts'
import { addFlagRoutes } from '../../../src/http/flag-routes.ts'
import { addRoleList } from '../../../src/http/role-list.ts'
import { addLinkRoute, addMembershipRoutes, addUserRoutes } from '../../../src/http/user-routes.ts'
import { ActivityFeed, feedQuery } from '../../../src/schemas/activity.ts'
import { closed, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { noUser, problem } from '../../../src/schemas/problem.ts'

const params = closed({ id: Id('User id') })

/** The commands of other systems, which exist with MACHINE_ADMIN=on. */
export default (async (app) => {
  addUserRoutes(app, machine)
  addMembershipRoutes(app, machine)
  addLinkRoute(app, machine)
  addRoleList(app, machine)
  addFlagRoutes(app, machine)

  app.get('/activity', {
    config: machine.config('activity:read', 'activity'),
    schema: {
      operationId: 'readActivityFeed',
      summary: 'Read the audit trail in its order',
      description:
        'Returns the records after a cursor, oldest first, each of them once: send `next` of the ' +
        'response as `after` of the next request. Without it, the oldest record comes first. A ' +
        'record appears 15 seconds after its time.',
      querystring: feedQuery,
      response: {
        200: ref(ActivityFeed, 'The next records'),
        400: problem('The cursor is not valid', 'invalid-cursor')
      }
    },
    handler: async (request) => readFeed(app.db, request.query)
  })

  app.delete('/users/:id/sessions', {
    config: machine.config('sessions:revoke', 'sessions'),
    schema: {
      operationId: machine.name('revokeUserSessions'),
      summary: 'Revoke all sessions of a user',
      description: 'Ends every active session of the user. Has no effect when there is none.',
      params,
      response: {
        204: NoContent('All sessions of the user have ended'),
        403: problem(
          'The caller lacks `sessions:revoke` or a permission that the user has',
          'exceeds-own-permissions'
        ),
        404: noUser
      }
    },
    handler: async (request) =>
      revokeUserSessions(app.db, request.actor, { userId: request.params.id })
  })
}) satisfies FastifyPluginAsyncTypebox
