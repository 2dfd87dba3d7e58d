import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { linkTo } from '../src/domain/mail/composer.ts'
import { headers, NoContent } from '../src/schemas/primitives.ts'
import { problem } from '../src/schemas/problem.ts'

export default (async (app) => {
  app.get('/.well-known/change-password', {
    config: { access: 'public', tag: 'auth', order: 190 },
    schema: {
      operationId: 'findPasswordChange',
      summary: 'Find the page to change a password',
      description:
        'For password managers (W3C, A Well-Known URL for Changing Passwords): leads to the page ' +
        '`security` of the account pages, or below ACCOUNT_URL.',
      response: {
        303: NoContent('The browser is led to the page', headers.redirect),
        404: problem('There are neither account pages nor ACCOUNT_URL', 'not-found')
      }
    },
    handler: async (_request, reply) => {
      const { ACCOUNT_URL } = app.config
      if (ACCOUNT_URL === undefined) return reply.notFound()
      return reply
        .code(303)
        .header('location', linkTo(ACCOUNT_URL, 'security', {}))
        .send()
    }
  })
}) satisfies FastifyPluginAsyncTypebox
