import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createUser, deleteUser, updateUser } from '../../../src/domain/accounts/user-changes.ts'
import { findUser, listUsers } from '../../../src/domain/users/users.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref, text } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { RoleKey } from '../../../src/schemas/roles.ts'
import { NewUser, User, UserPage, UserPatch, UserStatus } from '../../../src/schemas/users.ts'

const params = closed({ id: Id('Of the user') })
const filters = {
  q: Type.Optional(
    text(254, {
      minLength: 1,
      description:
        'Any part of the e-mail address or of the name; fewer than three letters: its beginning',
      examples: ['love']
    })
  ),
  status: Type.Optional(UserStatus),
  role: Type.Optional(RoleKey)
}

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users',
    {
      config: { access: { permission: 'users:read' } },
      schema: {
        operationId: 'listUsers',
        summary: 'List users',
        description:
          'All users, newest first unless sorted otherwise. A role that does not exist has no members.',
        tags: ['users'],
        querystring: listQuery(['-createdAt', 'email', 'name'], filters),
        response: { 200: ref(UserPage, 'A page of users', headers.link) }
      }
    },
    async (request, reply) =>
      reply.page(await listUsers(app.db, { ...request.query, after: request.position() }))
  )

  app.post(
    '/users',
    {
      config: { access: { permission: 'users:create' } },
      schema: {
        operationId: 'createUser',
        summary: 'Make a user',
        description:
          'An account with the role `user`, as every account has it. Other roles are given afterwards.',
        tags: ['users'],
        body: ref(NewUser),
        response: {
          201: ref(User, 'The account was made', { ...headers.location, ...headers.etag }),
          409: problem('An account with this e-mail address exists')
        }
      }
    },
    async (request, reply) => {
      const user = await createUser(app.db, app.passwords, request.actor, request.body)
      return reply
        .code(201)
        .header('location', `/api/admin/users/${user.id}`)
        .send(reply.tagged(user))
    }
  )

  app.get(
    '/users/:id',
    {
      config: { access: { permission: 'users:read' } },
      schema: {
        operationId: 'getUser',
        summary: 'Read a user',
        description: 'One user with profile and roles. The ETag serves a later change.',
        tags: ['users'],
        params,
        response: {
          200: ref(User, 'The user', headers.etag),
          404: problem('There is no user with this id')
        }
      }
    },
    async (request, reply) => reply.tagged(await findUser(app.db, request.params.id))
  )

  app.patch(
    '/users/:id',
    {
      config: { access: { permission: 'users:update' } },
      schema: {
        operationId: 'updateUser',
        summary: 'Change a user',
        description:
          'A merge patch. Address and status of somebody who may do more than the caller are out of reach. Deactivating ends all sessions.',
        tags: ['users'],
        params,
        headers: ifMatch,
        body: ref(UserPatch),
        response: {
          200: ref(User, 'The user as they are now', headers.etag),
          403: problem(
            'The permission users:update is missing, or the user has permissions that the caller lacks'
          ),
          404: problem('There is no user with this id'),
          409: problem(
            'An account with this e-mail address exists, or it is the last administrator'
          ),
          412: problem('The user was changed since the revision that If-Match names')
        }
      }
    },
    async (request, reply) =>
      reply.tagged(
        await updateUser(app.db, request.actor, request.params.id, request.body, request.expected())
      )
  )

  app.delete(
    '/users/:id',
    {
      config: { access: { permission: 'users:delete' } },
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete a user',
        description:
          'The account, its sessions and its roles are gone. Records of what it did stay for their retention time.',
        tags: ['users'],
        params,
        headers: ifMatch,
        response: {
          204: NoContent('The user is gone'),
          403: problem(
            'The permission users:delete is missing, or the user has permissions that the caller lacks'
          ),
          404: problem('There is no user with this id'),
          409: problem('It is the last administrator'),
          412: problem('The user was changed since the revision that If-Match names')
        }
      }
    },
    async (request, reply) => {
      await deleteUser(app.db, request.actor, request.params.id, request.expected())
      return reply.code(204).send()
    }
  )
}

export default routes
