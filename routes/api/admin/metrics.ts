import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Metrics } from '../../../src/schemas/overview.ts'
import { ref } from '../../../src/schemas/primitives.ts'

/** The metrics are those of this instance: the operator's console does not load this file. */
export default (async (app) => {
  app.get('/metrics', {
    config: { access: { permission: 'activity:read' }, tag: 'operations', polled: true },
    schema: {
      operationId: 'getMetrics',
      summary: 'Get the metrics of this instance',
      description:
        'Returns as JSON what Prometheus reads at `METRICS_PORT`. Without that port, process ' +
        'metrics are collected from the first call on. A call is not a use of the session: the ' +
        'console reads them every few seconds while it is open.',
      response: { 200: ref(Metrics, 'The metrics') }
    },
    handler: async () => ({ metrics: await app.readMetrics() })
  })
}) satisfies FastifyPluginAsyncTypebox
