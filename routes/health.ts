import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Health, Unavailable } from '../src/schemas/health.ts'
import { headers, ref } from '../src/schemas/primitives.ts'

export default (async (app) => {
  app.get('/health', {
    config: { access: 'public', probe: true, tag: 'operations' },
    schema: {
      operationId: 'getHealth',
      summary: 'Check readiness',
      description:
        'For load balancers: reports whether this instance can take traffic. The response ' +
        'comes from memory; the database is monitored in the background.',
      response: {
        200: ref(Health, 'Ready to take traffic'),
        503: ref(Unavailable, 'Not ready to take traffic', headers.retryAfter)
      }
    },
    handler: async (_request, reply) => {
      const reason = app.readiness.reason()
      if (reason === undefined) return { status: 'ok' as const }
      return reply.code(503).header('retry-after', '1').send({ status: 'unavailable', reason })
    }
  })

  app.get('/health/live', {
    config: { access: 'public', probe: true, tag: 'operations' },
    schema: {
      operationId: 'getLiveness',
      summary: 'Check liveness',
      description:
        'For supervisors: reports that the process is running. Does not access the database.',
      response: { 200: ref(Health, 'The process is running') }
    },
    handler: async () => ({ status: 'ok' as const })
  })
}) satisfies FastifyPluginAsyncTypebox
