import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readOverview } from '../../../src/domain/administration/overview.ts'
import { readSignUps } from '../../../src/domain/guard/guard.ts'
import { findLateJobs } from '../../../src/domain/jobs/sweep.ts'
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
        'Returns the state of this instance, the database and the outbox, the number of users ' +
        'and sessions, and what may need attention. Numbers in large tables are estimates.',
      response: { 200: ref(Overview, 'The state of the portal') }
    },
    handler: async () => {
      const reason = app.readiness.reason() ?? null
      const [overview, signUps, { late, unfinished }] = await Promise.all([
        readOverview(app.database, app.context.sessionRules),
        readSignUps(app.context),
        findLateJobs(app.db)
      ])
      return {
        version,
        ready: reason === null,
        reason,
        ...overview,
        signUps,
        lateJobs: late.length + unfinished.length
      }
    }
  })
}) satisfies FastifyPluginAsyncTypebox
