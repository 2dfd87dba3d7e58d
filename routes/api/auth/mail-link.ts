import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readMailLink } from '../../../src/domain/accounts/mail-link.ts'
import { MailLink, MailLinkToken } from '../../../src/schemas/mail-links.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { byLink } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  app.post('/mail-link', {
    config: { access: 'optional', tag: 'auth', order: 98, changesNothing: true },
    schema: {
      operationId: 'readMailLink',
      summary: 'Read what the link of a mail is about',
      description:
        'Returns whose account the link concerns, what it ends, and until when it works, to be ' +
        'shown when the link is opened. It changes nothing, and the link stays valid. A link ' +
        'that does not work is rejected as by the operation that uses it.',
      body: ref(MailLinkToken),
      response: { 200: ref(MailLink, 'What the link is about'), ...byLink }
    },
    handler: async (request) =>
      readMailLink(app.context, request.actor, {
        ...request.body,
        reader: request.principal?.user
      })
  })
}) satisfies FastifyPluginAsyncTypebox
