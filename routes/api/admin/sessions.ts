import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { revokeSession, revokeUserSessions } from '../../../src/domain/sessions/revocation.ts'
import { findSession, listSessions } from '../../../src/domain/sessions/list.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { Session, SessionPage, SessionState } from '../../../src/schemas/sessions.ts'

const params = closed({ id: Id('Of the session') })
const exceeds = problem(
  'The permission sessions:revoke is missing, or the user has permissions that the caller lacks'
)

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/sessions',
    {
      config: { access: { permission: 'sessions:read' } },
      schema: {
        operationId: 'listSessions',
        summary: 'List sessions',
        description: 'All sessions, ended ones too, newest first unless sorted otherwise.',
        tags: ['sessions'],
        querystring: listQuery(['-createdAt'], {
          userId: Type.Optional(Id('Whose sessions')),
          state: Type.Optional(SessionState)
        }),
        response: { 200: ref(SessionPage, 'A page of sessions', headers.link) }
      }
    },
    async (request, reply) =>
      reply.page(
        await listSessions(app.db, app.sessionRules, {
          ...request.query,
          after: request.position()
        })
      )
  )

  app.get(
    '/sessions/:id',
    {
      config: { access: { permission: 'sessions:read' } },
      schema: {
        operationId: 'getSession',
        summary: 'Read a session',
        description: 'One session, live or not.',
        tags: ['sessions'],
        params,
        response: {
          200: ref(Session, 'The session'),
          404: problem('There is no session with this id')
        }
      }
    },
    async (request) => findSession(app.db, request.params.id)
  )

  app.delete(
    '/sessions/:id',
    {
      config: { access: { permission: 'sessions:revoke' } },
      schema: {
        operationId: 'revokeSession',
        summary: 'End a session',
        description: 'Its next request answers 401.',
        tags: ['sessions'],
        params,
        response: {
          204: NoContent('The session is over'),
          403: exceeds,
          404: problem('There is no live session with this id')
        }
      }
    },
    async (request, reply) => {
      await revokeSession(app.db, request.actor, request.params.id)
      return reply.code(204).send()
    }
  )

  app.delete(
    '/sessions',
    {
      config: { access: { permission: 'sessions:revoke' } },
      schema: {
        operationId: 'revokeUserSessions',
        summary: 'End all sessions of a user',
        description: 'Nothing happens when there is none.',
        tags: ['sessions'],
        querystring: closed({ userId: Id('Whose sessions') }),
        response: {
          204: NoContent('The user has no live session'),
          403: exceeds,
          404: problem('There is no user with this id')
        }
      }
    },
    async (request, reply) => {
      await revokeUserSessions(app.db, request.actor, request.query.userId)
      return reply.code(204).send()
    }
  )
}

export default routes
