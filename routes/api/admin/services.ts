import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createService,
  deleteService,
  findService,
  listServices,
  updateService
} from '../../../src/domain/services/services.ts'
import { changesOf, whichOf, windowOf } from '../../../src/http/inputs.ts'
import { ifMatch, listQuery, search } from '../../../src/schemas/lists.ts'
import { closed, headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import {
  NewService,
  Service,
  ServiceKey,
  ServicePage,
  ServicePatch
} from '../../../src/schemas/services.ts'

const params = closed({ key: ServiceKey })
const missing = problem('No service has this key', 'service-not-found')
const changed = problem('The service has changed in the meantime', 'precondition-failed')

export default (async (app) => {
  app.get('/services', {
    config: { access: { permission: 'services:read' }, tag: 'services', order: 10 },
    schema: {
      operationId: 'listServices',
      summary: 'List services',
      description: 'Returns all services with their roles and permissions.',
      querystring: listQuery(['key', '-createdAt'], search('the key, the name or the description')),
      response: { 200: ref(ServicePage, 'A page of services', headers.link) }
    },
    handler: async (request, reply) => reply.page(await listServices(app.db, windowOf(request)))
  })

  app.post('/services', {
    config: { access: { permission: 'services:create' }, tag: 'services' },
    schema: {
      operationId: 'createService',
      summary: 'Create a service',
      description: 'Creates an account for a machine, without roles and without keys.',
      body: ref(NewService),
      response: {
        201: ref(Service, 'The new service', { ...headers.etag, ...headers.location }),
        409: problem('A service with this key already exists', 'service-exists')
      }
    },
    handler: async (request, reply) => {
      const service = await createService(app.db, request.actor, request.body)
      reply.header('location', `/api/admin/services/${service.key}`)
      return reply.withEtag(service)
    }
  })

  app.get('/services/:key', {
    config: { access: { permission: 'services:read' }, tag: 'services', order: 40 },
    schema: {
      operationId: 'getService',
      summary: 'Show a service',
      description: 'Returns one service with its roles and permissions.',
      params,
      response: { 200: ref(Service, 'The service', headers.etag), 404: missing }
    },
    handler: async (request, reply) => reply.withEtag(await findService(app.db, request.params.key))
  })

  app.patch('/services/:key', {
    config: { access: { permission: 'services:update' }, tag: 'services' },
    schema: {
      operationId: 'updateService',
      summary: 'Update a service',
      description:
        'Changes name, description or status. The keys of a deactivated service are rejected ' +
        'from the next request on, and work again when it is active.',
      params,
      headers: ifMatch,
      body: ref(ServicePatch),
      response: {
        200: ref(Service, 'The changed service', headers.etag),
        403: problem(
          'The caller lacks `services:update`, or changes the status of a service that has a ' +
            'permission that the caller lacks',
          'exceeds-own-permissions'
        ),
        404: missing,
        412: changed
      }
    },
    handler: async (request, reply) =>
      reply.withEtag(await updateService(app.db, request.actor, changesOf(request)))
  })

  app.delete('/services/:key', {
    config: { access: { permission: 'services:delete' }, tag: 'services' },
    schema: {
      operationId: 'deleteService',
      summary: 'Delete a service',
      description: 'Deletes the service and its keys: the next request with one is rejected.',
      params,
      headers: ifMatch,
      response: {
        204: NoContent('The service was deleted'),
        403: problem(
          'The caller lacks `services:delete` or a permission that the service has',
          'exceeds-own-permissions'
        ),
        404: missing,
        412: changed
      }
    },
    handler: async (request) => deleteService(app.db, request.actor, whichOf(request))
  })
}) satisfies FastifyPluginAsyncTypebox
