import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { requireProvider } from '../../../../src/domain/accounts/provider-flows.ts'
import { endProviderSessions } from '../../../../src/domain/sign-in/provider-logout.ts'
import { addFormParser, callbackPage, formType } from '../../../../src/http/provider-flow.ts'
import { Accepted } from '../../../../src/schemas/emails.ts'
import { closed, HtmlPage, ref } from '../../../../src/schemas/primitives.ts'
import { passingProblem, problem, tooMany } from '../../../../src/schemas/problem.ts'
import { callbackParams, LogoutNotice, ProviderKey } from '../../../../src/schemas/providers.ts'

const params = closed({ key: ProviderKey })
const noProvider = problem('There is no provider with this key', 'unknown-provider')
const response = {
  200: HtmlPage('A page that leads the browser to `finish`'),
  404: noProvider
}
const description =
  'The redirect URI of the provider. Reads no cookie and changes nothing: it is a page that ' +
  'leads on to `finish`, with which browsers send the cookies of the portal.'

/** Providers call these routes, or lead browsers to them. */
export default (async (app) => {
  addFormParser(app)
  const show = (reply: FastifyReply, key: string, given: Parameters<typeof callbackPage>[1]) =>
    reply
      .headers(app.pageHeaders)
      .type('text/html; charset=utf-8')
      .send(callbackPage(requireProvider(app.context, key).key, given))

  app.get('/:key/callback', {
    config: { access: 'public', longUrl: true, tag: 'auth', order: 66 },
    schema: {
      operationId: 'showProviderCallback',
      summary: 'Lead back from a provider',
      description,
      params,
      querystring: callbackParams,
      response
    },
    handler: async (request, reply) => show(reply, request.params.key, request.query)
  })

  app.post('/:key/callback', {
    config: { access: 'public', form: true, fromElsewhere: true, tag: 'auth' },
    bodyLimit: 8192,
    schema: {
      operationId: 'postProviderCallback',
      summary: 'Lead back from a provider that sends a form',
      description,
      consumes: [formType],
      params,
      body: callbackParams,
      response
    },
    handler: async (request, reply) => show(reply, request.params.key, request.body)
  })

  app.post('/:key/logout', {
    config: { access: 'public', form: true, tag: 'auth', order: 69 },
    bodyLimit: 8192,
    schema: {
      operationId: 'logoutByProvider',
      summary: 'Sign a user out on behalf of a provider',
      description:
        'For providers: ends the sessions that began with an account there, as OpenID Connect ' +
        'Back-Channel Logout 1.0 describes it. Each logout token counts once.',
      consumes: [formType],
      params,
      body: ref(LogoutNotice),
      response: {
        200: ref(Accepted, 'The sessions have ended'),
        400: problem('The logout token is not valid', 'provider-refused'),
        404: noProvider,
        429: tooMany,
        503: passingProblem(
          'The keys of the provider cannot be read; Retry-After says when to try again',
          'provider-unavailable'
        )
      }
    },
    handler: async (request) => {
      const provider = requireProvider(app.context, request.params.key)
      const { logout_token: token } = request.body
      await endProviderSessions(app.context, request.actor, { provider, token })
      return {}
    }
  })
}) satisfies FastifyPluginAsyncTypebox
