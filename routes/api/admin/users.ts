import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { createUser, deleteUser, updateUser } from '../../../src/domain/administration/creation.ts'
import { listUserFlags } from '../../../src/domain/flags/trial.ts'
import { listUsers } from '../../../src/domain/users/list.ts'
import { findUser } from '../../../src/domain/users/users.ts'
import { TriedAssurance, UserFlagPage } from '../../../src/schemas/flag-trial.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref, text } from '../../../src/schemas/primitives.ts'
import { changedSince, noUser, problem } from '../../../src/schemas/problem.ts'
import { RoleKey } from '../../../src/schemas/roles.ts'
import { NewUser, User, UserPage, UserPatch, UserStatus } from '../../../src/schemas/users.ts'

const params = closed({ id: Id('User id') })
const changed = changedSince('user')
const filters = {
  q: Type.Optional(
    text(254, {
      minLength: 1,
      description:
        'Part of the e-mail address or of the name; fewer than three characters match only the ' +
        'beginning',
      examples: ['love']
    })
  ),
  status: Type.Optional(UserStatus),
  role: Type.Optional(RoleKey)
}

export default (async (app) => {
  app.get('/users', {
    config: { access: { permission: 'users:read' }, tag: 'users' },
    schema: {
      operationId: 'listUsers',
      summary: 'List users',
      description:
        'Returns all users, newest first by default. Filtering by a role that does not exist ' +
        'returns an empty page.',
      querystring: listQuery(['-createdAt', 'email', 'name'], filters),
      response: { 200: ref(UserPage, 'A page of users', headers.link) }
    },
    handler: async (request, reply) =>
      reply.page(await listUsers(app.db, { ...request.query, after: request.cursorPosition() }))
  })

  app.post('/users', {
    config: { access: { permission: 'users:create' }, tag: 'users' },
    schema: {
      operationId: 'createUser',
      summary: 'Create a user',
      description:
        'Creates an account with the role `user`, which every account has. Grant other roles ' +
        'afterwards.',
      body: ref(NewUser),
      response: {
        201: ref(User, 'The created user', { ...headers.location, ...headers.etag }),
        409: problem('An account with this e-mail address already exists', 'email-taken')
      }
    },
    handler: async (request, reply) => {
      const user = await createUser(app.context, request.actor, request.body)
      reply.header('location', `/api/admin/users/${user.id}`)
      return reply.withEtag(user)
    }
  })

  app.get('/users/:id', {
    config: { access: { permission: 'users:read' }, tag: 'users' },
    schema: {
      operationId: 'getUser',
      summary: 'Get a user',
      description:
        'Returns a user with profile and roles. Send its ETag in If-Match when you update or ' +
        'delete the user.',
      params,
      response: {
        200: ref(User, 'The user', headers.etag),
        404: noUser
      }
    },
    handler: async (request, reply) => reply.withEtag(await findUser(app.db, request.params.id))
  })

  app.patch('/users/:id', {
    config: { access: { permission: 'users:update' }, tag: 'users' },
    schema: {
      operationId: 'updateUser',
      summary: 'Update a user',
      description:
        'Applies a merge patch. To change the e-mail address or the status, the caller must have ' +
        'every permission that the user has. Deactivating the account ends all of its sessions.',
      params,
      headers: ifMatch,
      body: ref(UserPatch),
      response: {
        200: ref(User, 'The updated user', headers.etag),
        403: problem(
          'The caller lacks `users:update`, or changes the e-mail address or status of a user ' +
            'who has a permission that the caller lacks, or of their own account without a ' +
            'recent authentication',
          'exceeds-own-permissions',
          'reauthentication-required'
        ),
        404: noUser,
        409: problem(
          'An account with this e-mail address already exists, or the user is the last ' +
            'administrator',
          'email-taken',
          'last-admin'
        ),
        412: changed
      }
    },
    handler: async (request, reply) =>
      reply.withEtag(
        await updateUser(app.context, request.actor, {
          ...request.params,
          changes: request.body,
          expected: request.ifMatchRevisions()
        })
      )
  })

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
    handler: async (request) =>
      deleteUser(app.context, request.actor, {
        ...request.params,
        expected: request.ifMatchRevisions()
      })
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
          ...request.query,
          userId: request.params.id,
          settings: app.settings,
          after: request.cursorPosition()
        })
      )
  })
}) satisfies FastifyPluginAsyncTypebox
