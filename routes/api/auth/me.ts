import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { closed, ref } from '../../../src/schemas/primitives.ts'
import { ScopeKey } from '../../../src/schemas/scopes.ts'
import { CurrentSession, SignedIn } from '../../../src/schemas/sessions.ts'
import { CurrentUser } from '../../../src/schemas/users.ts'

const orNull = <T extends typeof CurrentSession | typeof CurrentUser>(schema: T) =>
  Type.Union([ref(schema), Type.Null()])

export default (async (app) => {
  app.get('/me', {
    config: { access: 'session', fromMemory: true, tag: 'auth', order: 130 },
    schema: {
      operationId: 'getMe',
      summary: 'Get the current user',
      description:
        'Returns the signed-in user with roles and permissions, and the session of the cookie. ' +
        'The response always reflects the current state. With `scope` in the query, it also says ' +
        'what the user may do there.',
      querystring: Type.Object({ scope: Type.Optional(ScopeKey) }),
      response: { 200: ref(SignedIn, 'The current user and session') }
    },
    handler: async (request) => {
      const { user, session } = request
      const { scope: key } = request.query
      if (key === undefined) return { user, session }
      const { isMember, ...rights } = await app.rightsIn(request, key)
      return { user, session, scope: { key, ...rights } }
    }
  })

  app.get('/session', {
    config: { access: 'optional', tag: 'auth', order: 120 },
    schema: {
      operationId: 'getCurrentSession',
      summary: 'Get the current session, if there is one',
      description:
        'Returns the same as `getMe`, or nulls when nobody is signed in. An app can call it at ' +
        'every start without causing an error in the browser console.',
      response: {
        200: closed(
          { user: orNull(CurrentUser), session: orNull(CurrentSession) },
          { description: 'The current user and session, or null' }
        )
      }
    },
    handler: async ({ principal }) => {
      if (!principal) return { user: null, session: null }
      // The serializer chooses between object and null by the schema, which has no such property.
      const { userId, ...session } = principal.session
      return { user: principal.user, session }
    }
  })
}) satisfies FastifyPluginAsyncTypebox
