import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listKeysOf } from '../../../src/domain/keys/keys.ts'
import { createServiceKey } from '../../../src/domain/services/new-keys.ts'
import {
  findService,
  grantServiceRole,
  revokeServiceRole
} from '../../../src/domain/services/services.ts'
import { ApiKeyPage, CreatedApiKey, NewApiKey } from '../../../src/schemas/keys.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { RoleKey } from '../../../src/schemas/roles.ts'
import { ServiceKey } from '../../../src/schemas/services.ts'

/** This role exists in every database. */
const membership = closed({ key: ServiceKey, role: { ...RoleKey, examples: ['user'] } })
const access = { permission: 'services:update' } as const
const exceeds = problem(
  'The caller lacks `services:update` or a permission that the service or the role has',
  'exceeds-own-permissions'
)
const missing = problem(
  'The service or the role does not exist',
  'service-not-found',
  'role-not-found'
)
const noService = problem('No service has this key', 'service-not-found')

export default (async (app) => {
  app.put('/services/:key/roles/:role', {
    config: { access, tag: 'services', order: 20 },
    schema: {
      operationId: 'grantServiceRole',
      summary: 'Grant a role to a service',
      description:
        'Takes effect with the next request of its keys. Has no effect when the service already ' +
        'has the role. A role that requires a second factor never counts for a service.',
      params: membership,
      response: {
        204: NoContent('The service now has the role'),
        403: exceeds,
        404: missing
      }
    },
    handler: async (request) =>
      grantServiceRole(app.db, request.actor, {
        service: request.params.key,
        role: request.params.role
      })
  })

  app.delete('/services/:key/roles/:role', {
    config: { access, tag: 'services' },
    schema: {
      operationId: 'revokeServiceRole',
      summary: 'Revoke a role from a service',
      description:
        'Takes effect with the next request of its keys. Has no effect when the service does not ' +
        'have the role.',
      params: membership,
      response: {
        204: NoContent('The service no longer has the role'),
        403: exceeds,
        404: missing
      }
    },
    handler: async (request) =>
      revokeServiceRole(app.db, request.actor, {
        service: request.params.key,
        role: request.params.role
      })
  })

  app.get('/services/:key/keys', {
    config: { access: { permission: 'keys:read' }, tag: 'services', order: 30 },
    schema: {
      operationId: 'listServiceKeys',
      summary: 'List the API keys of a service',
      description: 'Returns the keys of one service, also those that have ended.',
      params: closed({ key: ServiceKey }),
      querystring: listQuery(['-createdAt'], {}),
      response: { 200: ref(ApiKeyPage, 'A page of keys', headers.link), 404: noService }
    },
    handler: async (request, reply) => {
      const { id } = await findService(app.db, request.params.key)
      return reply.page(
        await listKeysOf(
          app.db,
          { type: 'service', id },
          { ...request.query, after: request.cursorPosition() }
        )
      )
    }
  })

  app.post('/services/:key/keys', {
    config: { access, tag: 'services' },
    schema: {
      operationId: 'createServiceKey',
      summary: 'Create an API key for a service',
      description:
        'The key is shown in this response only. Two keys of one service can overlap: to rotate ' +
        'a key, create the next one, replace it where it is used, and revoke the old one.',
      params: closed({ key: ServiceKey }),
      body: ref(NewApiKey),
      response: {
        201: ref(CreatedApiKey, 'The new key'),
        403: problem(
          'The caller lacks `services:update` or a permission that the service has, or the ' +
            'service lacks a permission of the key',
          'exceeds-own-permissions'
        ),
        404: noService,
        409: problem('The service has the maximum number of API keys', 'too-many-keys')
      }
    },
    handler: async (request) =>
      createServiceKey(app.db, request.actor, {
        service: request.params.key,
        ...request.body
      })
  })
}) satisfies FastifyPluginAsyncTypebox
