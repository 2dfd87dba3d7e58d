import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { findActivity, listActivity, summarizeActivity } from '../../../src/domain/activity/list.ts'
import { withPeople } from '../../../src/http/user-labels.ts'
import {
  Action,
  ActivitySummary,
  Bucket,
  LabelledActivityPage,
  LabelledActivityRecord,
  Outcome,
  QueryTime
} from '../../../src/schemas/activity.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { listQuery, NetworkFilter } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, ref, text } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const access = { permission: 'activity:read' } as const
const span = {
  from: Type.Optional(QueryTime('Earliest time, inclusive')),
  to: Type.Optional(QueryTime('Latest time, exclusive'))
}
const filters = {
  action: Type.Optional(Action),
  outcome: Type.Optional(Outcome),
  actorId: Type.Optional(Id('Actor id')),
  targetId: Type.Optional(
    text(80, { minLength: 1, description: 'Target: an id, or the key of a permission or flag' })
  ),
  ip: NetworkFilter,
  sessionId: Type.Optional(Id('Session: what was done in it, and to it')),
  requestId: Type.Optional(Id('Request id, as in `instance` of a problem')),
  ...span
}

export default (async (app) => {
  app.get('/activity', {
    config: { access, tag: 'activity' },
    schema: {
      operationId: 'listActivity',
      summary: 'List activity records',
      description: 'Returns the audit trail, newest first by default.',
      querystring: listQuery(['-at'], filters),
      response: { 200: ref(LabelledActivityPage, 'A page of activity records', headers.link) }
    },
    handler: async (request, reply) => {
      const { items, next } = await listActivity(app.db, {
        ...windowOf(request),
        ...dates(request.query)
      })
      return reply.page({ items: await withPeople(app.db, request.user, items), next })
    }
  })

  app.get('/activity/summary', {
    config: { access, tag: 'activity' },
    schema: {
      operationId: 'summariseActivity',
      summary: 'Count activity records',
      description:
        'Counts the records of each action and outcome per hour (at most 7 days) or per day ' +
        '(at most 92 days), in UTC. `to` defaults to the current time, `from` to the start of ' +
        'the longest period allowed. The filters are those of the list.',
      querystring: closed({ bucket: Bucket, ...filters }),
      response: { 200: ref(ActivitySummary, 'The number of records per action and outcome') }
    },
    handler: async (request) =>
      summarizeActivity(app.db, { ...request.query, ...dates(request.query) })
  })

  app.get('/activity/:id', {
    config: { access, tag: 'activity' },
    schema: {
      operationId: 'getActivity',
      summary: 'Get an activity record',
      description: 'Returns one record of the audit trail.',
      params: closed({ id: Id('Record id') }),
      response: {
        200: ref(LabelledActivityRecord, 'The activity record'),
        404: problem('No activity record has this id', 'activity-record-not-found')
      }
    },
    handler: async (request) => {
      const found = await findActivity(app.db, request.params.id)
      const [people] = await withPeople(app.db, request.user, [found])
      return { ...found, actor: people?.actor ?? null, target: people?.target ?? null }
    }
  })
}) satisfies FastifyPluginAsyncTypebox

const dates = ({ from, to }: { from?: string; to?: string }) => ({
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to)
})
