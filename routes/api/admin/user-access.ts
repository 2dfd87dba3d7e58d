import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { seeAs } from '../../../src/domain/access/custom-permissions.ts'
import { exportData, recordExport } from '../../../src/domain/accounts/data-export.ts'
import { findObstacles, resetLimits } from '../../../src/domain/administration/obstacles.ts'
import { setPassword } from '../../../src/domain/administration/operator-links.ts'
import { person } from '../../../src/http/callers.ts'
import { sendExport } from '../../../src/http/data-export.ts'
import { addLinkRoute, addMembershipRoutes } from '../../../src/http/user-routes.ts'
import { DataExport } from '../../../src/schemas/data-export.ts'
import { TriedAssurance } from '../../../src/schemas/flag-trial.ts'
import { Obstacles } from '../../../src/schemas/obstacles.ts'
import { closed, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { exceedsUser, noUser } from '../../../src/schemas/problem.ts'
import { NewPassword, SeenUser } from '../../../src/schemas/users.ts'

const params = closed({ id: Id('User id') })
const access = { permission: 'users:update' } as const

export default (async (app) => {
  app.get('/users/:id/seen', {
    config: { access: { permission: 'users:read' }, tag: 'users' },
    schema: {
      operationId: 'seeAsUser',
      summary: 'See what a user gets',
      description:
        'Returns what `GET /api/auth/me` answers in a session of the user with one factor or ' +
        'with two, and which role gives or withholds each permission. Nobody gets a session of ' +
        'the user.',
      params,
      querystring: closed({ assurance: TriedAssurance }),
      response: { 200: ref(SeenUser, 'What the user gets'), 404: noUser }
    },
    handler: async ({ params, query }) => seeAs(app.db, { userId: params.id, ...query })
  })

  app.put('/users/:id/password', {
    config: { access, tag: 'users' },
    schema: {
      operationId: 'setUserPassword',
      summary: "Set a user's password",
      description:
        'Sets a new password, for example after the user forgot theirs, and ends all of their ' +
        'sessions.',
      params,
      body: ref(NewPassword),
      response: {
        204: NoContent('The password was set'),
        403: exceedsUser,
        404: noUser
      }
    },
    handler: async (request) =>
      setPassword(app.context, request.actor, {
        userId: request.params.id,
        password: request.body.password
      })
  })

  app.get('/users/:id/obstacles', {
    config: { access: { permission: 'users:read' }, tag: 'users' },
    schema: {
      operationId: 'findObstacles',
      summary: 'Find what keeps a user from signing in',
      description:
        'Returns each reason why the user cannot sign in now, or does not have a role that ' +
        'requires a second factor. Limits of known devices are not considered.',
      params,
      response: { 200: ref(Obstacles, 'The reasons'), 404: noUser }
    },
    async handler({ params, user }) {
      const items = await findObstacles(app.context, { userId: params.id })
      const mayName = user.permissions.includes('activity:read')
      return { items: items.map((each) => (mayName ? each : { ...each, by: null })) }
    }
  })

  app.delete('/users/:id/rate-limits', {
    config: { access, tag: 'users' },
    schema: {
      operationId: 'resetRateLimits',
      summary: "Reset a user's rate limits",
      description:
        'Allows attempts to sign in to the account again. Limits of addresses still apply. Has ' +
        'no effect when no attempts are counted.',
      params,
      response: {
        204: NoContent('No attempts are counted for the account'),
        403: exceedsUser,
        404: noUser
      }
    },
    handler: async (request) => {
      await resetLimits(app.context, request.actor, { userId: request.params.id })
    }
  })

  app.post('/users/:id/export', {
    config: { access: { permission: 'users:read' }, tag: 'users' },
    schema: {
      operationId: 'exportUser',
      summary: "Export a user's data",
      description:
        'Returns what the portal keeps about the user, without secrets and without anything that ' +
        'identifies other people. The export is recorded. It takes `sessions:read`, `keys:read`, ' +
        '`activity:read` and `outbox:read` as well.',
      params,
      response: { 200: ref(DataExport, 'The data'), 404: noUser }
    },
    async handler(request, reply) {
      const { id } = request.params
      await recordExport(app.db, request.actor, id)
      return sendExport(reply as never, exportData(app.context, { id }))
    }
  })

  addMembershipRoutes(app, person)
  addLinkRoute(app, person)
}) satisfies FastifyPluginAsyncTypebox
