import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { listOutbox, retryMail } from '../../../src/domain/outbox/list.ts'
import { withUsers } from '../../../src/http/user-labels.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { OutboxPage, OutboxState } from '../../../src/schemas/outbox.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  app.get('/outbox', {
    config: { access: { permission: 'outbox:read' }, tag: 'outbox' },
    schema: {
      operationId: 'listOutbox',
      summary: 'List mail',
      description:
        'Returns the mail in the outbox, newest first by default. Of an address, the first ' +
        'character and the domain are shown; contents never. Mail is deleted some days after it ' +
        'was sent, dropped or refused for good.',
      querystring: listQuery(['-createdAt'], {
        userId: Type.Optional(Id('Only mail that belongs to the user with this id')),
        state: Type.Optional(OutboxState)
      }),
      response: { 200: ref(OutboxPage, 'A page of the outbox', headers.link) }
    },
    handler: async (request, reply) => {
      const { items, next } = await listOutbox(app.db, windowOf(request))
      return reply.page({ items: await withUsers(app.db, request.user, items), next })
    }
  })

  app.post('/outbox/:id/retry', {
    config: { access: { permission: 'outbox:retry' }, tag: 'outbox' },
    schema: {
      operationId: 'retryMail',
      summary: 'Send a mail again',
      description:
        'Schedules a mail that was refused for good, or that waits for its next delivery, for ' +
        'immediate delivery. Has no effect while it is being delivered.',
      params: closed({ id: Id('Mail id') }),
      response: {
        204: NoContent('The mail is scheduled for immediate delivery'),
        404: problem('No mail has this id', 'mail-not-found'),
        409: problem('The mail was delivered or has expired', 'mail-finished')
      }
    },
    handler: async (request) => retryMail(app.db, request.actor, request.params)
  })
}) satisfies FastifyPluginAsyncTypebox
