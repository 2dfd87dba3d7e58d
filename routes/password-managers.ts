import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { linkTo } from '../src/domain/mail/composer.ts'
import { fixedJson } from '../src/http/fixed-response.ts'
import { ifNoneMatch } from '../src/schemas/lists.ts'
import { closed, headers, NoContent, tagged, text, unchanged } from '../src/schemas/primitives.ts'
import { problem } from '../src/schemas/problem.ts'

const page = (description: string) =>
  text(2048, { description, examples: ['https://app.example.com/account/security'] })

/** Password managers ask for both, which lead to the page `security`. */
export default (async (app) => {
  const { ACCOUNT_URL } = app.config
  const security = ACCOUNT_URL === undefined ? undefined : linkTo(ACCOUNT_URL, 'security', {})

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
    handler: async (_request, reply) =>
      security === undefined
        ? reply.notFound()
        : reply.code(303).header('location', security).send()
  })

  const pages = fixedJson(() => ({ enroll: security, manage: security }))
  app.get('/.well-known/passkey-endpoints', {
    config: { access: 'public', tag: 'auth', order: 195 },
    schema: {
      operationId: 'findPasskeyPages',
      summary: 'Find the pages to add and manage passkeys',
      description:
        'For password managers (W3C, A Well-Known URL for Relying Party Passkey Endpoints): the ' +
        'page `security` of the account pages, or below ACCOUNT_URL.',
      headers: ifNoneMatch,
      response: {
        200: tagged(
          closed(
            {
              enroll: page('Where a user adds a passkey'),
              manage: page('Where a user lists, renames and removes passkeys')
            },
            { description: 'The URLs of both pages' }
          )
        ),
        304: unchanged,
        404: problem('There are no passkeys, or neither account pages nor ACCOUNT_URL', 'not-found')
      }
    },
    handler: async (request, reply) =>
      security === undefined || !app.context.passkeys ? reply.notFound() : pages(request, reply)
  })
}) satisfies FastifyPluginAsyncTypebox
