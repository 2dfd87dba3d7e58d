import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invalidFields } from '../../../src/domain/errors.ts'
import { openScope } from '../../../src/domain/scopes/opening.ts'
import { JoinedScope, NewScope } from '../../../src/schemas/invitations.ts'
import { ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  const { SCOPES_SELF } = app.config
  if (SCOPES_SELF === undefined) return
  const roleOf = new Map(SCOPES_SELF.split(',').map((each) => each.split(':') as [string, string]))

  app.post('', {
    config: { access: 'session', tag: 'scopes', order: 5 },
    schema: {
      operationId: 'openScope',
      summary: 'Open a scope',
      description:
        'Opens a scope with a new name, in which the signed-in user gets the role that ' +
        '`SCOPES_SELF` has for its kind.',
      body: ref(NewScope),
      response: {
        201: ref(JoinedScope, 'The new scope, and the role of the user there'),
        404: problem('The role of `SCOPES_SELF` does not exist', 'role-not-found'),
        409: problem(
          'The role of `SCOPES_SELF` is not held in scopes, or the user is in too many scopes',
          'role-not-scoped',
          'too-many-members'
        )
      }
    },
    handler: async (request) => {
      const { kind } = request.body
      const role = roleOf.get(kind)
      if (role === undefined) {
        const message = `Must be ${[...roleOf.keys()].join(' or ')}`
        throw invalidFields({ pointer: '/kind', code: 'not-allowed', message })
      }
      return openScope(app.db, request.self, { kind, role })
    }
  })
}) satisfies FastifyPluginAsyncTypebox
