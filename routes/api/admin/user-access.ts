import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { seeAs } from '../../../src/domain/access/custom-permissions.ts'
import { setPassword } from '../../../src/domain/administration/operator-links.ts'
import { person } from '../../../src/http/callers.ts'
import { addMembershipRoutes } from '../../../src/http/user-routes.ts'
import { TriedAssurance } from '../../../src/schemas/flag-trial.ts'
import { closed, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { exceedsUser, noUser } from '../../../src/schemas/problem.ts'
import { NewPassword, SeenUser } from '../../../src/schemas/users.ts'

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
      params: closed({ id: Id('User id') }),
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
      params: closed({ id: Id('User id') }),
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

  addMembershipRoutes(app, person)
}) satisfies FastifyPluginAsyncTypebox
