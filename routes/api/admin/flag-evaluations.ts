import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readEvaluations } from '../../../src/domain/flags/daily-evaluations.ts'
import { FlagEvaluations, periodQuery } from '../../../src/schemas/flag-evaluations.ts'
import { FlagKey } from '../../../src/schemas/flags.ts'
import { closed, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  app.get('/flags/:key/evaluations', {
    config: { access: { permission: 'flags:read' }, tag: 'flags', order: 45 },
    schema: {
      operationId: 'getFlagEvaluations',
      summary: 'Count the evaluations of a flag',
      description:
        'Returns how often each variant was sent to apps on each day. Instances store their ' +
        'counts once a minute. Unchanged responses (304), trials and lists of the admin API do ' +
        'not count.',
      params: closed({ key: FlagKey }),
      querystring: periodQuery(1, 'Number of days, today included'),
      response: {
        200: ref(FlagEvaluations, 'The evaluations of the flag'),
        404: problem('No feature flag has this key', 'flag-not-found')
      }
    },
    handler: async (request) => readEvaluations(app.db, { ...request.params, ...request.query })
  })
}) satisfies FastifyPluginAsyncTypebox
