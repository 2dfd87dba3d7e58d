import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { evaluateAll } from '../../../src/domain/flags/evaluation.ts'
import { evaluateFlag, flagsFor } from '../../../src/http/flag-evaluation.ts'
import { ifNoneMatch } from '../../../src/schemas/lists.ts'
import {
  BulkEvaluation,
  Evaluation,
  evaluationProblem,
  EvaluationRequest
} from '../../../src/schemas/ofrep.ts'
import { closed, headers, NoContent, ref, text } from '../../../src/schemas/primitives.ts'
import { ScopeKey } from '../../../src/schemas/scopes.ts'

const querystring = closed({ scope: Type.Optional(ScopeKey) })
const ofScope = 'With `scope`, rules that name this scope hold for users who have a role in it.'
const config = { access: 'optional', ofrep: true, tag: 'flags' } as const

export default (async (app) => {
  // The protocol allows requests without a context, and so without a body.
  app.addHook('preValidation', async function useEmptyContext(request) {
    request.body ??= {}
  })

  app.post('/evaluate/flags/:key', {
    config: { ...config, order: 40 },
    schema: {
      operationId: 'evaluateFlag',
      summary: 'Evaluate a feature flag',
      description:
        'Evaluates a flag as defined by OFREP 0.3. For a signed-in user, their id and roles take ' +
        'precedence over the context. Without a session, only public flags can be evaluated. ' +
        ofScope,
      querystring,
      params: closed({ key: text(80, { description: 'Flag key', examples: ['new-checkout'] }) }),
      body: ref(EvaluationRequest),
      response: {
        200: ref(Evaluation, 'The value of the flag'),
        400: evaluationProblem(
          'The context is not valid or lacks the targeting key, or the host is not served',
          'targeting-key-missing'
        ),
        404: evaluationProblem(
          'No flag has this key, or it is not public and the caller is not signed in',
          'flag-not-found'
        )
      }
    },
    handler: async (request) =>
      evaluateFlag(request, request.params.key, request.body.context, request.query.scope)
  })

  app.post('/evaluate/flags', {
    config: { ...config, order: 30 },
    schema: {
      operationId: 'evaluateFlags',
      summary: 'Evaluate all feature flags',
      description:
        'Evaluates all flags as defined by OFREP 0.3. For a signed-in user, their id and roles ' +
        'take precedence over the context. Without a session, only public flags are evaluated. ' +
        ofScope,
      querystring,
      headers: ifNoneMatch,
      body: ref(EvaluationRequest),
      response: {
        200: ref(BulkEvaluation, 'The value of each flag', headers.contentTag),
        304: NoContent(
          'The evaluation has not changed since the ETag in If-None-Match',
          headers.contentTag
        ),
        400: evaluationProblem('The context is not valid, or the host is not served')
      }
    },
    handler: async (request, reply) => {
      const { flags, context } = await flagsFor(request, request.body.context, request.query.scope)
      const body = reply.withEtag(evaluateAll(flags, context))
      if (request.matchesIfNoneMatch(body.revision)) return reply.code(304).send()
      app.countEvaluations('bulk', body.flags)
      return body
    }
  })
}) satisfies FastifyPluginAsyncTypebox
