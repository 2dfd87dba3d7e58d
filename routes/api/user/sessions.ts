import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { revokeOtherSessions, revokeOwnSession } from '../../../src/domain/sessions/revocation.ts'
import { listOwnSessions } from '../../../src/domain/sessions/list.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { OwnSessionPage } from '../../../src/schemas/sessions.ts'

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/sessions',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'listOwnSessions',
        summary: 'Where am I signed in?',
        description: 'The live sessions of the signed-in user, the one of this request marked.',
        tags: ['user'],
        querystring: listQuery(['-createdAt'], {}),
        response: { 200: ref(OwnSessionPage, 'A page of sessions', headers.link) }
      }
    },
    async (request, reply) =>
      reply.page(
        await listOwnSessions(app.db, request.self, { ...request.query, after: request.position() })
      )
  )

  app.delete(
    '/sessions/:id',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'revokeOwnSession',
        summary: 'Sign out one session',
        description:
          "Ends one of the user's own sessions. Ending the one of this request clears its cookie too.",
        tags: ['user'],
        params: closed({ id: Id('Of the session') }),
        response: {
          204: NoContent('The session is over'),
          404: problem('The user has no live session with this id')
        }
      }
    },
    async (request, reply) => {
      await revokeOwnSession(app.db, request.self, request.params.id)
      if (request.params.id === request.session.id) reply.clearSessionCookie()
      return reply.code(204).send()
    }
  )

  app.delete(
    '/sessions',
    {
      config: { access: 'session' },
      schema: {
        operationId: 'revokeOtherSessions',
        summary: 'Sign out everywhere else',
        description: 'Ends every session of the user but the one of this request.',
        tags: ['user'],
        response: { 204: NoContent('This session is the only one') }
      }
    },
    async (request, reply) => {
      await revokeOtherSessions(app.db, request.self)
      return reply.code(204).send()
    }
  )
}

export default routes
