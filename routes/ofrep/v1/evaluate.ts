import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../../src/domain/errors.ts'
import {
  contextAt,
  contextOfUser,
  contextOfVisitor,
  evaluate,
  evaluateAll
} from '../../../src/domain/flags/evaluation.ts'
import type { Caller, FlagState } from '../../../src/domain/flags/evaluation.ts'
import { ifNoneMatch } from '../../../src/schemas/lists.ts'
import {
  BulkEvaluation,
  Evaluation,
  evaluationProblem,
  EvaluationRequest
} from '../../../src/schemas/ofrep.ts'
import { closed, headers, NoContent, ref, text } from '../../../src/schemas/primitives.ts'

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
        'precedence over the context. Without a session, only public flags can be evaluated.',
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
    async handler(request) {
      const state = await app.readFlags()
      const { key } = request.params
      const caller = await callerOf(state, request, request.body)
      const found = evaluate(state.flags, key, contextAt(caller, state))
      app.countEvaluations('single', [found ?? { key }])
      if (!found) throw new DomainError('targeting-key-missing')
      return found
    }
  })

  app.post('/evaluate/flags', {
    config: { ...config, order: 30 },
    schema: {
      operationId: 'evaluateFlags',
      summary: 'Evaluate all feature flags',
      description:
        'Evaluates all flags as defined by OFREP 0.3. For a signed-in user, their id and roles ' +
        'take precedence over the context. Without a session, only public flags are evaluated.',
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
      const state = await app.readFlags()
      const caller = await callerOf(state, request, request.body)
      const body = reply.withEtag(evaluateAll(state.flags, contextAt(caller, state)))
      if (request.matchesIfNoneMatch(body.revision)) return reply.code(304).send()
      app.countEvaluations('bulk', body.flags)
      return body
    }
  })

  async function callerOf(
    state: FlagState,
    { principal }: FastifyRequest,
    { context = {} }: Static<typeof EvaluationRequest>
  ): Promise<Caller> {
    const { targetingKey, ...attributes } = context
    return principal
      ? contextOfUser(principal.user, attributes, await app.callerSettings(state, principal.user))
      : contextOfVisitor(targetingKey, attributes)
  }
}) satisfies FastifyPluginAsyncTypebox
