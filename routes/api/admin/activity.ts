import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findActivity, listActivity, summariseActivity } from '../../../src/domain/activity/list.ts'
import {
  Action,
  ActivityPage,
  ActivityRecord,
  ActivitySummary,
  Bucket,
  Outcome,
  QueryTime
} from '../../../src/schemas/activity.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, ref, text } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const access = { permission: 'activity:read' } as const
const span = {
  from: Type.Optional(QueryTime('Records at or after it')),
  to: Type.Optional(QueryTime('Records before it'))
}
const filters = {
  action: Type.Optional(Action),
  outcome: Type.Optional(Outcome),
  actorId: Type.Optional(Id('Who did it')),
  targetId: Type.Optional(
    text(80, {
      minLength: 1,
      description: 'What it was done to: an id, or the key of a permission'
    })
  ),
  ...span
}

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/activity',
    {
      config: { access },
      schema: {
        operationId: 'listActivity',
        summary: 'List activity',
        description: 'The audit trail, newest first unless sorted otherwise.',
        tags: ['activity'],
        querystring: listQuery(['-at'], filters),
        response: { 200: ref(ActivityPage, 'A page of records', headers.link) }
      }
    },
    async (request, reply) =>
      reply.page(
        await listActivity(app.db, {
          ...request.query,
          ...dates(request.query),
          after: request.position()
        })
      )
  )

  app.get(
    '/activity/summary',
    {
      config: { access },
      schema: {
        operationId: 'summariseActivity',
        summary: 'Count activity',
        description:
          'How often each action succeeded and failed, by the hour (a week at most) or by the day (92 days at most), in UTC. ' +
          'Without `to` until now, without `from` as far back as that allows.',
        tags: ['activity'],
        querystring: closed({ bucket: Bucket, ...span }),
        response: { 200: ref(ActivitySummary, 'The counts') }
      }
    },
    async (request) =>
      summariseActivity(app.db, { bucket: request.query.bucket, ...dates(request.query) })
  )

  app.get(
    '/activity/:id',
    {
      config: { access },
      schema: {
        operationId: 'getActivity',
        summary: 'Read an activity record',
        description: 'One record of the audit trail.',
        tags: ['activity'],
        params: closed({ id: Id('Of the record') }),
        response: {
          200: ref(ActivityRecord, 'The record'),
          404: problem('There is no record with this id')
        }
      }
    },
    async (request) => findActivity(app.db, request.params.id)
  )
}

const dates = ({ from, to }: { from?: string; to?: string }) => ({
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to)
})

export default routes
