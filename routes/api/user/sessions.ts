import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { revokeOtherSessions, revokeOwnSession } from '../../../src/domain/sessions/revocation.ts'
import { listOwnSessions } from '../../../src/domain/sessions/sessions.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { OwnSessionPage } from '../../../src/schemas/sessions.ts'

export default (async (app) => {
  app.get('/sessions', {
    config: { access: 'session', tag: 'user', order: 50 },
    schema: {
      operationId: 'listOwnSessions',
      summary: "List the current user's sessions",
      description:
        'Returns the active sessions of the signed-in user. `current` marks the session of ' +
        'this request.',
      querystring: listQuery(['-createdAt'], {}),
      response: { 200: ref(OwnSessionPage, 'A page of sessions', headers.link) }
    },
    handler: async (request, reply) =>
      reply.page(await listOwnSessions(app.context, request.self, windowOf(request)))
  })

  app.delete('/sessions/:id', {
    config: { access: 'session', protects: true, tag: 'user', order: 60 },
    schema: {
      operationId: 'revokeOwnSession',
      summary: "Revoke one of the current user's sessions",
      description:
        'Ends a session of the signed-in user. Revoking the session of this request also ' +
        'clears the cookie.',
      params: closed({ id: Id('Session id') }),
      response: {
        204: NoContent(
          'The session was revoked; the cookie of this session is cleared',
          headers.setCookie
        ),
        404: problem('The user has no active session with this id', 'session-not-found')
      }
    },
    handler: async (request, reply) => {
      await revokeOwnSession(app.db, request.self, request.params)
      if (request.params.id === request.session.id) reply.clearPortalCookie('session')
    }
  })

  app.delete('/sessions', {
    config: { access: 'session', protects: true, tag: 'user' },
    schema: {
      operationId: 'revokeOtherSessions',
      summary: "Revoke the current user's other sessions",
      description: 'Ends every session of the signed-in user except the session of this request.',
      response: { 204: NoContent('All other sessions have ended') }
    },
    handler: async (request) => revokeOtherSessions(app.db, request.self)
  })
}) satisfies FastifyPluginAsyncTypebox
