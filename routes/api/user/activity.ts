import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listOwnActivity } from '../../../src/domain/activity/list.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { ActivityPage } from '../../../src/schemas/activity.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'

export default (async (app) => {
  app.get('/activity', {
    config: { access: 'session', tag: 'user', order: 40 },
    schema: {
      operationId: 'listOwnActivity',
      summary: "List the current user's activity records",
      description:
        'Returns the actions of the user and the actions on their account, newest first by ' +
        'default. Records of actions by other users or by operators omit the actor, the IP ' +
        'address and the user agent. Records of anonymous callers, such as a failed login, ' +
        'include the address and the user agent.',
      querystring: listQuery(['-at'], {}),
      response: { 200: ref(ActivityPage, 'A page of activity records', headers.link) }
    },
    handler: async (request, reply) =>
      reply.page(await listOwnActivity(app.db, request.self, windowOf(request)))
  })
}) satisfies FastifyPluginAsyncTypebox
