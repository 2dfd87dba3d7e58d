import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { deleteUser } from '../../../src/domain/administration/users.ts'
import { listUserFlags } from '../../../src/domain/flags/trial.ts'
import { person } from '../../../src/http/callers.ts'
import { addUserRoutes } from '../../../src/http/user-routes.ts'
import { whichOf, windowOf } from '../../../src/http/inputs.ts'
import { TriedAssurance, UserFlagPage } from '../../../src/schemas/flag-trial.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { changedSince, noUser, problem } from '../../../src/schemas/problem.ts'

const params = closed({ id: Id('User id') })
const changed = changedSince('user')

export default (async (app) => {
  addUserRoutes(app, person)

  app.delete('/users/:id', {
    config: { access: { permission: 'users:delete' }, tag: 'users' },
    schema: {
      operationId: 'deleteUser',
      summary: 'Delete a user',
      description:
        'Deletes the account, its sessions and its role memberships. Its activity records are ' +
        'kept until their retention period ends.',
      params,
      headers: ifMatch,
      response: {
        204: NoContent('The user was deleted'),
        403: problem(
          'The caller lacks `users:delete` or a permission that the user has, or deletes their ' +
            'own account without a recent authentication',
          'exceeds-own-permissions',
          'reauthentication-required'
        ),
        404: noUser,
        409: problem('The user is the last administrator', 'last-admin'),
        412: changed
      }
    },
    handler: async (request) => deleteUser(app.context, request.actor, whichOf(request))
  })

  app.get('/users/:id/flags', {
    config: { access: { permission: 'users:read' }, tag: 'users' },
    schema: {
      operationId: 'listUserFlags',
      summary: "List a user's feature flags",
      description:
        'Returns all feature flags as the user gets them without further attributes, and how ' +
        'each was decided; sorted by key by default.',
      params,
      querystring: listQuery(['key', '-createdAt'], { assurance: TriedAssurance }),
      response: {
        200: ref(UserFlagPage, 'A page of feature flags', headers.link),
        404: noUser
      }
    },
    handler: async (request, reply) =>
      reply.page(
        await listUserFlags(app.db, {
          ...windowOf(request),
          userId: request.params.id,
          settings: app.settings
        })
      )
  })
}) satisfies FastifyPluginAsyncTypebox
