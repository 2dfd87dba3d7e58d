import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listStaleFlags, readEvaluations } from '../../../src/domain/flags/evaluation-counts.ts'
import {
  EvaluationsQuery,
  FlagEvaluations,
  staleDays,
  StaleFlagPage
} from '../../../src/schemas/flag-revisions.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { FlagKey } from '../../../src/schemas/flags.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  app.get('/stale-flags', {
    config: { access: { permission: 'flags:read' }, tag: 'flags', order: 15 },
    schema: {
      operationId: 'listStaleFlags',
      summary: 'List stale feature flags',
      description:
        'Returns flags that have nothing left to decide: not permanent, not changed for this ' +
        'number of days, and without a rule that begins or ends later.',
      querystring: listQuery(['key'], { days: staleDays }),
      response: { 200: ref(StaleFlagPage, 'A page of stale flags', headers.link) }
    },
    handler: async (request, reply) => reply.page(await listStaleFlags(app.db, windowOf(request)))
  })

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
      querystring: EvaluationsQuery,
      response: {
        200: ref(FlagEvaluations, 'The evaluations of the flag'),
        404: problem('No feature flag has this key', 'flag-not-found')
      }
    },
    handler: async (request) => readEvaluations(app.db, { ...request.params, ...request.query })
  })
}) satisfies FastifyPluginAsyncTypebox
