import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listKeysOf } from '../../../src/domain/keys/keys.ts'
import { createServiceKey } from '../../../src/domain/services/key-creation.ts'
import {
  findService,
  grantServiceRole,
  revokeServiceRole
} from '../../../src/domain/services/services.ts'
import { addGrantRoutes } from '../../../src/http/grant-routes.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { ApiKeyPage, CreatedApiKey, NewApiKey } from '../../../src/schemas/keys.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { RoleKey } from '../../../src/schemas/roles.ts'
import { ServiceKey } from '../../../src/schemas/services.ts'

const access = { permission: 'services:update' } as const
const exceeds = problem(
  'The caller lacks `services:update` or a permission that the service or the role has',
  'exceeds-own-permissions'
)
const noService = problem('No service has this key', 'service-not-found')

export default (async (app) => {
  addGrantRoutes(app, '/services/:key/roles/:role', {
    ...{ access, tag: 'services' },
    // This role exists in every database.
    params: closed({ key: ServiceKey, role: { ...RoleKey, examples: ['user'] } }),
    ...{ thing: 'role', owner: 'service' },
    effect: 'the next request of its keys',
    missing: ['service-not-found', 'role-not-found'],
    grant: {
      operationId: 'grantServiceRole',
      run: async (db, actor, { key, role }) => grantServiceRole(db, actor, { service: key, role }),
      config: { order: 20 },
      refusals: {
        403: exceeds,
        409: problem('The role is granted in scopes, where services have none', 'role-scoped')
      },
      note: ' A role that requires a second factor never counts for a service.'
    },
    revoke: {
      operationId: 'revokeServiceRole',
      run: async (db, actor, { key, role }) => revokeServiceRole(db, actor, { service: key, role }),
      refusals: { 403: exceeds }
    }
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
      return reply.page(await listKeysOf(app.db, { type: 'service', id }, windowOf(request)))
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
