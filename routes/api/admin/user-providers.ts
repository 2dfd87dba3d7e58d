import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { unlinkUserProvider } from '../../../src/domain/administration/factor-removal.ts'
import { closed, Id, NoContent } from '../../../src/schemas/primitives.ts'
import { exceedsUser, problem } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  app.delete('/users/:id/providers/:providerId', {
    config: { access: { permission: 'users:update' }, tag: 'users' },
    schema: {
      operationId: 'unlinkUserProvider',
      summary: "Unlink a user's account at a provider",
      description:
        'The user can no longer sign in with it, and the sessions that began with it end. The ' +
        'user gets a notice. It may be their only way to sign in.',
      params: closed({ id: Id('User id'), providerId: Id('Id of the linked account') }),
      response: {
        204: NoContent('The account was unlinked'),
        403: exceedsUser,
        404: problem(
          'The user does not exist, or has no such linked account',
          'user-not-found',
          'provider-account-not-found'
        )
      }
    },
    handler: async (request) => {
      const { id: userId, providerId: id } = request.params
      await unlinkUserProvider(app.context, request.actor, { userId, id })
    }
  })
}) satisfies FastifyPluginAsyncTypebox
