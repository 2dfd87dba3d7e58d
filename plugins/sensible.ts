import sensible from '@fastify/sensible'
import fp from 'fastify-plugin'

/**
 * Adds `reply.notFound()` and the like, for a status without a specific reason:
 * src/http/problems.ts chooses the text. A refusal with a specific reason is thrown as a
 * DomainError.
 */
export default fp(
  async (app) => {
    await app.register(sensible)
  },
  { name: 'sensible' }
)
