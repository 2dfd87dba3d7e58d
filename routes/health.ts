import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Health, Unavailable } from '../src/schemas/health.ts'
import { ref } from '../src/schemas/primitives.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/health',
    {
      config: { access: 'public', probe: true },
      schema: {
        operationId: 'getHealth',
        summary: 'Is it ready?',
        description:
          'For load balancers: whether traffic should come here. Answers from memory; the database is watched in the background.',
        tags: ['operations'],
        response: {
          200: ref(Health, 'Ready to take traffic'),
          503: ref(Unavailable, 'Not ready, and why')
        }
      }
    },
    async (_request, reply) => {
      const reason = app.readiness.reason()
      if (reason === undefined) return { status: 'ok' as const }
      return reply.code(503).header('retry-after', '1').send({ status: 'unavailable', reason })
    }
  )

  app.get(
    '/health/live',
    {
      config: { access: 'public', probe: true },
      schema: {
        operationId: 'getLiveness',
        summary: 'Is it running?',
        description: 'For supervisors: answers while the process runs, and touches nothing.',
        tags: ['operations'],
        response: { 200: ref(Health, 'The process runs') }
      }
    },
    async () => ({ status: 'ok' as const })
  )
}

export default routes
