import { Type } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { grantRole, revokeRole } from '../domain/access/memberships.ts'
import { createUser, updateUser } from '../domain/administration/users.ts'
import { mailUserLink } from '../domain/administration/operator-links.ts'
import { listUsers } from '../domain/users/list.ts'
import { findUser } from '../domain/users/users.ts'
import { Accepted } from '../schemas/emails.ts'
import { changesOf, windowOf } from './inputs.ts'
import { ifMatch, listQuery } from '../schemas/lists.ts'
import { closed, headers, Id, ref, text } from '../schemas/primitives.ts'
import { changedSince, noUser, passingProblem, problem } from '../schemas/problem.ts'
import { RoleKey } from '../schemas/roles.ts'
import {
  field,
  NewUser,
  User,
  UserLink,
  UserPage,
  UserPatch,
  UserStatus
} from '../schemas/users.ts'
import type { Caller } from './callers.ts'
import { addGrantRoutes } from './grant-routes.ts'
import { actorOnce, idempotencyKey, reusedKey } from './idempotency.ts'

const params = closed({ id: Id('User id') })
const changed = changedSince('user')
const deletedSince = problem('The user whom this request has created is deleted', 'user-not-found')
const filters = {
  email: Type.Optional({ ...field.email, description: 'The whole e-mail address' }),
  q: Type.Optional(
    text(254, {
      minLength: 1,
      description:
        'Words in any order, each a part of the name or the e-mail address, with or without ' +
        'diacritics; fewer than three characters match only the beginning of a word. Or a user id',
      examples: ['love ada']
    })
  ),
  status: Type.Optional(UserStatus),
  role: Type.Optional(RoleKey)
}

/** Adds the list of users, and the routes that create, show and update one. */
export function addUserRoutes(instance: FastifyInstance, { prefix, config, name, once }: Caller) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/users', {
    config: config('users:read', 'users'),
    schema: {
      operationId: name('listUsers'),
      summary: 'List users',
      description:
        'Returns all users, newest first by default. Filtering by a role that does not exist ' +
        'returns an empty page.',
      querystring: listQuery(['-createdAt', 'email', 'name'], filters),
      response: { 200: ref(UserPage, 'A page of users', headers.link) }
    },
    handler: async (request, reply) => reply.page(await listUsers(app.db, windowOf(request)))
  })

  app.post('/users', {
    config: config('users:create', 'users'),
    schema: {
      operationId: name('createUser'),
      summary: 'Create a user',
      description:
        'Creates an account with the role `user`, which every account has. Grant other roles ' +
        'afterwards.',
      ...(once && { headers: idempotencyKey }),
      body: ref(NewUser),
      response: {
        201: ref(User, 'The created user', { ...headers.location, ...headers.etag }),
        403: problem(
          'The caller lacks `users:create`, or asks for a link and the portal sends no mail',
          'mail-off'
        ),
        409: problem('An account with this e-mail address already exists', 'email-taken'),
        ...(once && { 404: deletedSince, 422: reusedKey })
      }
    },
    handler: async (request, reply) => {
      const user = await createUser(app.context, actorOnce(request), request.body)
      reply.header('location', `${prefix}/users/${user.id}`)
      return reply.withEtag(user)
    }
  })

  app.get('/users/:id', {
    config: config('users:read', 'users'),
    schema: {
      operationId: name('getUser'),
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
    config: config('users:update', 'users'),
    schema: {
      operationId: name('updateUser'),
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
      reply.withEtag(await updateUser(app.context, request.actor, changesOf(request)))
  })
}

const exceeds = 'The caller lacks `users:update` or a permission that the user or the role has'

/** Adds the routes that grant a role to a user and revoke it. */
export const addMembershipRoutes = (app: FastifyInstance, { config, name }: Caller) =>
  addGrantRoutes(app, '/users/:id/roles/:key', {
    ...config('users:update', 'users'),
    // This role exists in every database.
    params: closed({ id: Id('User id'), key: { ...RoleKey, examples: ['user'] } }),
    ...{ thing: 'role', owner: 'user' },
    effect: "the user's next request",
    missing: ['user-not-found', 'role-not-found'],
    grant: {
      operationId: name('grantRole'),
      run: async (db, actor, { id, key }) => grantRole(db, actor, { userId: id, role: key }),
      refusals: {
        403: problem(exceeds, 'exceeds-own-permissions'),
        409: problem('The role is granted in scopes', 'role-scoped')
      }
    },
    revoke: {
      operationId: name('revokeRole'),
      run: async (db, actor, { id, key }) => revokeRole(db, actor, { userId: id, role: key }),
      refusals: {
        403: problem(
          `${exceeds}, or revokes a role of their own that requires a second factor without a ` +
            'recent authentication',
          'exceeds-own-permissions',
          'reauthentication-required'
        ),
        409: problem('The user is the last administrator', 'last-admin')
      }
    }
  })

/** Adds the route that mails a link to a user. */
export function addLinkRoute(instance: FastifyInstance, { config, name, once }: Caller) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.post('/users/:id/link', {
    config: config('users:update', 'users'),
    schema: {
      operationId: name('mailUserLink'),
      summary: 'Mail a link to a user',
      description:
        'Sends a link for the first password, valid for 72 hours; for a new one, valid for 30 ' +
        'minutes; for the first second factor, or to confirm the address, valid for 24 hours. ' +
        'The response never contains it. No link for a second factor is sent to an address that ' +
        'is not confirmed, nor for 72 hours after the password was set with a link from a mail.',
      params,
      ...(once && { headers: idempotencyKey }),
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
          'The user is deactivated; or can sign in already, or has confirmed the address; or has ' +
            'a second factor, or no role that requires one; or the password was set with a link ' +
            'from a mail in the last 72 hours',
          'user-deactivated',
          'invitation-accepted',
          'email-verified',
          'enrolment-link-not-needed',
          'enrolment-link-waits'
        ),
        ...(once && { 422: reusedKey })
      }
    },
    handler: async (request) => {
      const { id: userId } = request.params
      await mailUserLink(app.context, actorOnce(request), { userId, ...request.body })
      return {}
    }
  })
}
