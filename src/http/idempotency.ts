import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../domain/actor.ts'
import { problem } from '../schemas/problem.ts'

/** For routes whose change is not made again when the request is, as a draft of the IETF has it. */
export const idempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[ -~]+$',
      description:
        'A value that is new for each change, such as a UUID. For a day, the same request with ' +
        'the same value gets the same response, and changes nothing again',
      examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324']
    })
  )
})

export const reusedKey = problem(
  'Another request of this owner had the Idempotency-Key',
  'idempotency-key-reused'
)

/** The actor of a request, with its Idempotency-Key if it has one besides an API key. */
export function actorOnce(request: FastifyRequest): Actor {
  const { actor, presentedKey, headers, method, url, body } = request
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || !presentedKey) return actor
  return { ...actor, once: { key, request: JSON.stringify([method, url, body]) } }
}
