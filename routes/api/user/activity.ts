import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listOwnActivity } from '../../../src/domain/activity/list.ts'
import { ActivityPage } from '../../../src/schemas/activity.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/activity',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'listOwnActivity',
        summary: 'What happened to my account?',
        description:
          'What the user did and what was done to their account, newest first. Who else did it, and from where, is not told.',
        tags: ['user'],
        querystring: listQuery(['-at'], {}),
        response: { 200: ref(ActivityPage, 'A page of records', headers.link) }
      }
    },
    async (request, reply) =>
      reply.page(
        await listOwnActivity(app.db, request.session.userId, {
          ...request.query,
          after: request.position()
        })
      )
  )
}

export default routes
