import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { beginFlow } from '../../../../src/domain/accounts/provider-flows.ts'
import { findByDomain, showProvider } from '../../../../src/domain/providers/provider.ts'
import { requireEmail } from '../../../../src/domain/users/emails.ts'
import { ownActorOf } from '../../../../src/http/actor.ts'
import { completeProviderFlow, keepFlow, targetsOf } from '../../../../src/http/provider-flow.ts'
import { flowProblems } from '../../../../src/problems/providers.ts'
import { closed, headers, NoContent, ref } from '../../../../src/schemas/primitives.ts'
import { passingProblem, problem, tooMany } from '../../../../src/schemas/problem.ts'
import {
  callbackParams,
  FoundProvider,
  ProviderFlow,
  ProviderKey,
  ProviderSearch,
  ProviderStart
} from '../../../../src/schemas/providers.ts'

const params = closed({ key: ProviderKey })
const noProvider = problem('There is no provider with this key', 'unknown-provider')

export default (async (app) => {
  app.post('/find', {
    config: { access: 'public', tag: 'auth', order: 62 },
    schema: {
      operationId: 'findProvider',
      summary: 'Find the provider for an e-mail address',
      description:
        'Returns the provider that speaks for the domain of the address. Only the domain is ' +
        'looked at, so the response reveals nothing about accounts.',
      body: ref(ProviderSearch),
      response: { 200: ref(FoundProvider, 'The provider, if the domain has one') }
    },
    handler: async (request) => {
      const provider = findByDomain(app.config.providers, requireEmail(request.body.email))
      return {
        provider: provider ? showProvider(provider) : null,
        required: provider?.required ?? false
      }
    }
  })

  app.post('/:key', {
    config: { access: 'optional', tag: 'auth', order: 64 },
    schema: {
      operationId: 'beginProviderFlow',
      summary: 'Begin to sign in with a provider',
      description:
        'Returns the URL at the provider to which the app leads the browser, as with ' +
        '`location.assign(url)`, and sets a cookie for this attempt, which is valid for ten ' +
        'minutes. The provider leads back to the portal, which leads the browser to `returnTo`; ' +
        'or to `errorTo` with the query parameters `problem`, a problem code or ' +
        '`second-factor-due`, and `provider`. After `second-factor-due`, `getPendingLogin` and ' +
        '`verifyLogin` complete the sign-in. `link` and `reauthenticate` are for signed-in users.',
      params,
      body: ref(ProviderFlow),
      response: {
        200: ref(
          ProviderStart,
          'The URL; Set-Cookie carries the cookie of the attempt',
          headers.setCookie
        ),
        401: problem('The intent is for signed-in users', 'unauthenticated'),
        403: problem(
          'There is no recent authentication, the e-mail address is not confirmed, or its domain ' +
            'requires another provider',
          'reauthentication-required',
          'email-unverified',
          'provider-required'
        ),
        404: problem(
          'There is no provider with this key, or the user has no account there',
          'unknown-provider',
          'provider-account-not-found'
        ),
        429: tooMany,
        503: passingProblem(
          'The provider or the database does not answer; Retry-After says when to try again',
          'provider-unavailable'
        )
      }
    },
    handler: async (request, reply) => {
      const { body, actor } = request
      const { url, flow } = await beginFlow(app.context, actor, {
        self: ownActorOf(request),
        device: request.portalCookie('device'),
        hasSignedOut: request.portalCookie('left') !== undefined,
        ...body,
        ...request.params,
        ...targetsOf(app.config, body)
      })
      keepFlow(app, request, reply, flow)
      return { url }
    }
  })

  app.get('/:key/finish', {
    exposeHeadRoute: false, // it signs in
    config: { access: 'optional', longUrl: true, tag: 'auth', order: 68 },
    schema: {
      operationId: 'finishProviderFlow',
      summary: 'Complete a sign-in with a provider',
      description:
        'For browsers, which come from the callback of this provider. Verifies what the provider ' +
        'says, and does what the attempt is for. Refusals lead to `errorTo` of the attempt, with ' +
        'their code as `problem`. Codes that other operations do not have: ' +
        `${flowProblems.map((code) => `\`${code}\``).join(', ')}.`,
      params,
      querystring: callbackParams,
      response: {
        303: NoContent('The browser is led to `returnTo`, or to `errorTo` with `problem`', {
          ...headers.redirect,
          ...headers.setCookie
        }),
        403: problem('Another site led the browser here', 'cross-site'),
        404: noProvider
      }
    },
    handler: async (request, reply) => {
      const { key } = request.params
      const location = await completeProviderFlow(app, request, reply, {
        key,
        params: request.query
      })
      return reply.code(303).header('location', location).send()
    }
  })
}) satisfies FastifyPluginAsyncTypebox
