import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readOverview } from '../../../src/domain/administration/overview.ts'
import { Metrics } from '../../../src/schemas/metrics.ts'
import { Overview } from '../../../src/schemas/overview.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { version } from '../../../src/version.ts'

const config = { access: { permission: 'activity:read' }, tag: 'operations' } as const

export default (async (app) => {
  app.get('/overview', {
    config,
    schema: {
      operationId: 'getOverview',
      summary: 'Get an overview',
      description:
        'Returns the state of this instance, the database and the outbox, and the number of ' +
        'users and sessions. Numbers in large tables are estimates.',
      response: { 200: ref(Overview, 'The state of the portal') }
    },
    handler: async () => {
      const reason = app.readiness.reason() ?? null
      return {
        version,
        ready: reason === null,
        reason,
        ...(await readOverview(app.database, app.services.sessionRules))
      }
    }
  })

  app.get('/metrics', {
    config: { ...config, polled: true },
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
