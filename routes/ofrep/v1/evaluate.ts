import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { evaluate, evaluateAll } from '../../../src/domain/flags/evaluation.ts'
import type { Context } from '../../../src/domain/flags/evaluation.ts'
import { ifNoneMatch } from '../../../src/schemas/lists.ts'
import {
  BulkEvaluation,
  Evaluation,
  EvaluationProblem,
  EvaluationRequest
} from '../../../src/schemas/ofrep.ts'
import { closed, headers, NoContent, ref, text } from '../../../src/schemas/primitives.ts'

const config = { access: 'optional', ofrep: true } as const

const routes: FastifyPluginAsyncTypebox = async (app) => {
  // The protocol lets the whole context be absent, and with it the body.
  app.addHook('preValidation', async (request) => {
    request.body ??= {}
  })

  app.post(
    '/evaluate/flags/:key',
    {
      config,
      schema: {
        operationId: 'evaluateFlag',
        summary: 'What is a flag?',
        description:
          'OFREP 0.3. For the signed-in user, if there is one, whose id and roles overrule the context; else of public flags only.',
        tags: ['flags'],
        params: closed({ key: text(80, { description: 'Of the flag' }) }),
        body: ref(EvaluationRequest),
        response: {
          200: ref(Evaluation, 'What the flag is'),
          400: ref(EvaluationProblem, 'The context is not good, or lacks the targeting key'),
          404: ref(EvaluationProblem, 'There is no such flag for this caller')
        }
      }
    },
    async (request) =>
      evaluate(await app.readFlags(), request.params.key, contextOf(request, request.body))
  )

  app.post(
    '/evaluate/flags',
    {
      config,
      schema: {
        operationId: 'evaluateFlags',
        summary: 'What are all flags?',
        description:
          'OFREP 0.3. For the signed-in user, if there is one, whose id and roles overrule the context; else of public flags only.',
        tags: ['flags'],
        headers: ifNoneMatch,
        body: ref(EvaluationRequest),
        response: {
          200: ref(BulkEvaluation, 'What each flag is', headers.contentTag),
          304: NoContent('The caller has this answer', headers.contentTag),
          400: ref(EvaluationProblem, 'The context is not good')
        }
      }
    },
    async (request, reply) => {
      const answer = reply.tagged(
        evaluateAll(await app.readFlags(), contextOf(request, request.body))
      )
      return request.knows(answer.revision) ? reply.code(304).send() : answer
    }
  )
}

function contextOf(
  { principal }: FastifyRequest,
  { context = {} }: Static<typeof EvaluationRequest>
): Context {
  const { targetingKey, ...attributes } = context
  return principal
    ? {
        targetingKey: principal.user.id,
        roles: principal.user.roles,
        signedIn: true,
        attributes: { ...attributes, roles: principal.user.roles }
      }
    : { targetingKey, roles: [], signedIn: false, attributes }
}

export default routes
