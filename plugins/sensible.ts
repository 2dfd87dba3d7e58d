import sensible from '@fastify/sensible'
import fp from 'fastify-plugin'

/**
 * `reply.notFound()` and its like, for a status without a reason of its own: src/http/problems.ts
 * words the answer. A refusal with its own reason is thrown as a DomainError.
 */
export default fp(
  async (app) => {
    await app.register(sensible)
  },
  { name: 'sensible' }
)
