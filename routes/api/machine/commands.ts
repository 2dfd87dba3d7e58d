import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readFeed } from '../../../src/domain/activity/feed.ts'
import { mailUserLink } from '../../../src/domain/administration/operator-links.ts'
import { revokeUserSessions } from '../../../src/domain/sessions/revocation.ts'
import { machine } from '../../../src/http/callers.ts'
import { addFlagRoutes } from '../../../src/http/flag-routes.ts'
import { actorOnce, idempotencyKey, reusedKey } from '../../../src/http/idempotency.ts'
import { addRoleList } from '../../../src/http/role-list.ts'
import { addMembershipRoutes, addUserRoutes } from '../../../src/http/user-routes.ts'
import { ActivityFeed, feedQuery } from '../../../src/schemas/activity.ts'
import { Accepted } from '../../../src/schemas/emails.ts'
import { closed, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { noUser, passingProblem, problem } from '../../../src/schemas/problem.ts'
import { UserLink } from '../../../src/schemas/users.ts'

const params = closed({ id: Id('User id') })

/** The commands of other systems, which exist with MACHINE_ADMIN=on. */
export default (async (app) => {
  addUserRoutes(app, machine)
  addMembershipRoutes(app, machine)
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

  app.post('/users/:id/link', {
    config: machine.config('users:update', 'users'),
    schema: {
      operationId: 'mailUserLink',
      summary: 'Mail a link to a user',
      description:
        'Sends a link for a new password, valid for 30 minutes, or for the first second factor, ' +
        'valid for 24 hours. The response never contains it. No link for a second factor is ' +
        'sent to an address that is not confirmed, nor for 72 hours after the password was set ' +
        'with a link from a mail.',
      params,
      headers: idempotencyKey,
      body: ref(UserLink),
      response: {
        202: ref(Accepted, 'The link will be sent to the address of the user'),
        403: problem(
          'The caller lacks `users:update` or a permission that the user has, or is the user; or ' +
            'the portal sends no mail, or not to this user',
          'exceeds-own-permissions',
          'reauthentication-required',
          'mail-off',
          'email-unverified',
          'provider-required'
        ),
        404: noUser,
        409: passingProblem(
          'The user is deactivated; or has a second factor, or no role that requires one; or the ' +
            'password was set with a link from a mail in the last 72 hours',
          'user-deactivated',
          'enrolment-link-not-needed',
          'enrolment-link-waits'
        ),
        422: reusedKey
      }
    },
    handler: async (request) => {
      const { id: userId } = request.params
      await mailUserLink(app.context, actorOnce(request), { userId, ...request.body })
      return {}
    }
  })
}) satisfies FastifyPluginAsyncTypebox
