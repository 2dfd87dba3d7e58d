import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { setPassword } from '../../../src/domain/accounts/credentials.ts'
import { grantRole, revokeRole } from '../../../src/domain/access/memberships.ts'
import { closed, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { RoleKey } from '../../../src/schemas/roles.ts'
import { NewPassword } from '../../../src/schemas/settings.ts'

const membership = closed({ id: Id('Of the user'), key: RoleKey })
const access = { permission: 'users:update' } as const
const exceeds = problem(
  'The permission users:update is missing, or the user or the role has permissions that the caller lacks'
)

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    '/users/:id/password',
    {
      config: { access },
      schema: {
        operationId: 'setUserPassword',
        summary: "Set a user's password",
        description:
          'Ends all sessions of the user. For somebody who forgot theirs: nobody can read one.',
        tags: ['users'],
        params: closed({ id: Id('Of the user') }),
        body: ref(NewPassword),
        response: {
          204: NoContent('The password was set'),
          403: exceeds,
          404: problem('There is no user with this id')
        }
      }
    },
    async (request, reply) => {
      await setPassword(
        app.db,
        app.passwords,
        request.actor,
        request.params.id,
        request.body.password
      )
      return reply.code(204).send()
    }
  )

  app.put(
    '/users/:id/roles/:key',
    {
      config: { access },
      schema: {
        operationId: 'grantRole',
        summary: 'Give a role to a user',
        description: "Counts on the user's next request. Nothing happens when they have it.",
        tags: ['users'],
        params: membership,
        response: {
          204: NoContent('The user has the role'),
          403: exceeds,
          404: problem('There is no such user or role')
        }
      }
    },
    async (request, reply) => {
      await grantRole(app.db, request.actor, request.params.id, request.params.key)
      return reply.code(204).send()
    }
  )

  app.delete(
    '/users/:id/roles/:key',
    {
      config: { access },
      schema: {
        operationId: 'revokeRole',
        summary: 'Take a role from a user',
        description: "Counts on the user's next request. Nothing happens when they do not have it.",
        tags: ['users'],
        params: membership,
        response: {
          204: NoContent('The user does not have the role'),
          403: exceeds,
          404: problem('There is no such user or role'),
          409: problem('It is the last administrator')
        }
      }
    },
    async (request, reply) => {
      await revokeRole(app.db, request.actor, request.params.id, request.params.key)
      return reply.code(204).send()
    }
  )
}

export default routes
