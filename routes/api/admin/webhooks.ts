import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  renewSecret,
  testEndpoint,
  updateEndpoint
} from '../../../src/domain/webhooks/endpoints.ts'
import { findDelivery, listDeliveries, resend } from '../../../src/domain/webhooks/list.ts'
import { changesOf, whichOf, windowOf } from '../../../src/http/inputs.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import {
  DeliveryPage,
  DeliveryState,
  DeliveryWithBody,
  NewWebhook,
  Resend,
  Resent,
  TestResult,
  Webhook,
  WebhookPage,
  WebhookPatch,
  WebhookWithSecret
} from '../../../src/schemas/webhooks.ts'

const reads = { access: { permission: 'webhooks:read' }, tag: 'webhooks' } as const
const updates = { access: { permission: 'webhooks:update' }, tag: 'webhooks' } as const

const params = closed({ id: Id('Webhook id') })
const ofDelivery = closed({ id: Id('Webhook id'), delivery: Id('Delivery id') })

const missing = problem('No webhook has this id', 'webhook-not-found')
const missingDelivery = problem(
  'No webhook has this id, or it has no such delivery',
  'webhook-not-found',
  'delivery-not-found'
)
const changed = problem('The webhook has changed in the meantime', 'precondition-failed')
const mayNotRead = (permission: string) =>
  problem(
    `The caller lacks \`${permission}\`, or one of \`activity:read\` and \`users:read\`: a ` +
      'webhook sends records and users',
    'exceeds-own-permissions'
  )

const refusals = {
  403: mayNotRead('webhooks:update'),
  404: missing,
  409: problem('The webhook is functions of the app', 'app-webhook')
}

export default (async (app) => {
  app.get('/webhooks', {
    config: { ...reads, order: 10 },
    schema: {
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Returns all webhooks, without their secrets.',
      querystring: listQuery(['createdAt'], {}),
      response: { 200: ref(WebhookPage, 'A page of webhooks', headers.link) }
    },
    handler: async (request, reply) => reply.page(await listEndpoints(app.db, windowOf(request)))
  })

  app.post('/webhooks', {
    config: { access: { permission: 'webhooks:create' }, tag: 'webhooks' },
    schema: {
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'From now on, each activity record whose action matches is sent to the URL, signed as ' +
        'Standard Webhooks describes. The response alone contains the secret.',
      body: ref(NewWebhook),
      response: {
        201: ref(WebhookWithSecret, 'The new webhook', { ...headers.etag, ...headers.location }),
        403: mayNotRead('webhooks:create'),
        409: problem('There are 50 webhooks', 'too-many-webhooks')
      }
    },
    handler: async (request, reply) => {
      const created = await createEndpoint(app.context, request.actor, request.body)
      reply.header('location', `/api/admin/webhooks/${created.id}`)
      return reply.withEtag(created)
    }
  })

  app.get('/webhooks/:id', {
    config: { ...reads, order: 20 },
    schema: {
      operationId: 'getWebhook',
      summary: 'Show a webhook',
      description: 'Returns one webhook, without its secret.',
      params,
      response: { 200: ref(Webhook, 'The webhook', headers.etag), 404: missing }
    },
    handler: async (request, reply) => reply.withEtag(await findEndpoint(app.db, request.params.id))
  })

  app.patch('/webhooks/:id', {
    config: updates,
    schema: {
      operationId: 'updateWebhook',
      summary: 'Update a webhook',
      description:
        'Changes URL, events or state. Once a paused webhook is active again, what waits is sent.',
      params,
      headers: ifMatch,
      body: ref(WebhookPatch),
      response: {
        200: ref(Webhook, 'The changed webhook', headers.etag),
        ...refusals,
        412: changed
      }
    },
    handler: async (request, reply) =>
      reply.withEtag(await updateEndpoint(app.context, request.actor, changesOf(request)))
  })

  app.delete('/webhooks/:id', {
    config: { access: { permission: 'webhooks:delete' }, tag: 'webhooks' },
    schema: {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Deletes the webhook with its deliveries: what waits is not sent.',
      params,
      headers: ifMatch,
      response: { 204: NoContent('The webhook was deleted'), 404: missing, 412: changed }
    },
    handler: async (request) => deleteEndpoint(app.db, request.actor, whichOf(request))
  })

  app.post('/webhooks/:id/secret', {
    config: { ...updates, order: 30 },
    schema: {
      operationId: 'renewWebhookSecret',
      summary: 'Renew the secret of a webhook',
      description:
        'Returns another secret. For 24 hours, the one before signs as well, so that the ' +
        'receiver can change to the new one.',
      params,
      headers: ifMatch,
      response: {
        200: ref(WebhookWithSecret, 'The webhook with its new secret', headers.etag),
        ...refusals,
        412: changed
      }
    },
    handler: async (request, reply) =>
      reply.withEtag(await renewSecret(app.context, request.actor, whichOf(request)))
  })

  app.post('/webhooks/:id/test', {
    config: { ...updates, order: 40 },
    schema: {
      operationId: 'testWebhook',
      summary: 'Test a webhook',
      description:
        'Sends a message of the type `webhook.test` at once, and returns how that ended. It is ' +
        'not repeated.',
      params,
      response: { 200: ref(TestResult, 'How the request ended'), ...refusals }
    },
    handler: async (request) => testEndpoint(app.context, request.actor, request.params)
  })

  app.post('/webhooks/:id/resend', {
    config: { ...updates, order: 50 },
    schema: {
      operationId: 'resendDeliveries',
      summary: 'Send events again',
      description:
        'Sends one event again at once, or all that were given up since a time. Has no effect on ' +
        'what is being sent.',
      params,
      body: ref(Resend),
      response: {
        200: ref(Resent, 'How many events are sent again'),
        403: refusals[403],
        404: missingDelivery
      }
    },
    handler: async (request) => {
      const { delivery, since } = request.body
      const which = { ...request.params, delivery, since: since ? new Date(since) : undefined }
      return { count: await resend(app.db, request.actor, which) }
    }
  })

  app.get('/webhooks/:id/deliveries', {
    config: { ...reads, order: 60 },
    schema: {
      operationId: 'listDeliveries',
      summary: 'List the deliveries of a webhook',
      description:
        'Returns the events for a webhook, newest first by default. Seven days after an event ' +
        'was delivered, or 30 days after it was given up, its delivery is deleted.',
      params,
      querystring: listQuery(['-createdAt'], { state: Type.Optional(DeliveryState) }),
      response: { 200: ref(DeliveryPage, 'A page of deliveries', headers.link), 404: missing }
    },
    handler: async (request, reply) =>
      reply.page(await listDeliveries(app.db, { ...request.params, ...windowOf(request) }))
  })

  app.get('/webhooks/:id/deliveries/:delivery', {
    config: { ...reads, order: 70 },
    schema: {
      operationId: 'getDelivery',
      summary: 'Show a delivery',
      description:
        'Returns one delivery with its body, which is read from the record and the user as they ' +
        'are now. It takes `activity:read` as well; without `users:read`, the body has no user.',
      params: ofDelivery,
      response: { 200: ref(DeliveryWithBody, 'The delivery'), 404: missingDelivery }
    },
    handler: async (request) => findDelivery(app.db, request.actor, request.params)
  })
}) satisfies FastifyPluginAsyncTypebox
