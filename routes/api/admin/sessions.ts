import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { revokeSession, revokeUserSessions } from '../../../src/domain/sessions/revocation.ts'
import { findSession, listSessions } from '../../../src/domain/sessions/sessions.ts'
import { withUsers } from '../../../src/http/user-labels.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { listQuery, NetworkFilter } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { noUser, problem } from '../../../src/schemas/problem.ts'
import { Session, SessionPage, SessionState } from '../../../src/schemas/sessions.ts'

const params = closed({ id: Id('Session id') })
const exceeds = problem(
  'The caller lacks `sessions:revoke` or a permission that the user has',
  'exceeds-own-permissions'
)

export default (async (app) => {
  app.get('/sessions', {
    config: { access: { permission: 'sessions:read' }, tag: 'sessions' },
    schema: {
      operationId: 'listSessions',
      summary: 'List sessions',
      description: 'Returns all sessions, including ended ones, newest first by default.',
      querystring: listQuery(['-createdAt'], {
        userId: Type.Optional(Id('User id')),
        state: Type.Optional(SessionState),
        ip: NetworkFilter
      }),
      response: { 200: ref(SessionPage, 'A page of sessions', headers.link) }
    },
    handler: async (request, reply) => {
      const { items, next } = await listSessions(app.context, windowOf(request))
      return reply.page({ items: await withUsers(app.db, request.user, items), next })
    }
  })

  app.get('/sessions/:id', {
    config: { access: { permission: 'sessions:read' }, tag: 'sessions' },
    schema: {
      operationId: 'getSession',
      summary: 'Get a session',
      description: 'Returns a session, which may have ended.',
      params,
      response: {
        200: ref(Session, 'The session'),
        404: problem('No session has this id', 'session-not-found')
      }
    },
    handler: async (request) => {
      const found = await findSession(app.db, request.params.id)
      const [session] = await withUsers(app.db, request.user, [found])
      return { ...found, user: session?.user ?? null }
    }
  })

  app.delete('/sessions/:id', {
    config: { access: { permission: 'sessions:revoke' }, tag: 'sessions' },
    schema: {
      operationId: 'revokeSession',
      summary: 'Revoke a session',
      description: 'Ends the session: its next request is rejected with 401.',
      params,
      response: {
        204: NoContent('The session was revoked'),
        403: exceeds,
        404: problem('No active session has this id', 'session-not-found')
      }
    },
    handler: async (request) => revokeSession(app.db, request.actor, request.params)
  })

  app.delete('/sessions', {
    config: { access: { permission: 'sessions:revoke' }, tag: 'sessions' },
    schema: {
      operationId: 'revokeUserSessions',
      summary: 'Revoke all sessions of a user',
      description: 'Ends every active session of the user. Has no effect when there is none.',
      querystring: closed({ userId: Id('User id') }),
      response: {
        204: NoContent('All sessions of the user have ended'),
        403: exceeds,
        404: noUser
      }
    },
    handler: async (request) => revokeUserSessions(app.db, request.actor, request.query)
  })
}) satisfies FastifyPluginAsyncTypebox
