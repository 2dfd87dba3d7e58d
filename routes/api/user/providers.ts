import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { unlinkOwnProvider } from '../../../src/domain/accounts/provider-links.ts'
import { listProviderAccounts } from '../../../src/domain/providers/accounts.ts'
import { withName } from '../../../src/domain/providers/provider.ts'
import { closed, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { ProviderAccountPage } from '../../../src/schemas/providers.ts'

export default (async (app) => {
  app.get('/providers', {
    config: { access: 'session', tag: 'user', order: 164 },
    schema: {
      operationId: 'listProviderAccounts',
      summary: "List the current user's linked accounts",
      description:
        'Returns all accounts at providers with which the signed-in user can sign in, oldest ' +
        'first, on one page.',
      response: { 200: ref(ProviderAccountPage, 'All linked accounts') }
    },
    handler: async (request) => ({
      items: (await listProviderAccounts(app.db, request.self.id)).map(
        withName(app.config.providers)
      ),
      nextCursor: null
    })
  })

  app.delete('/providers/:id', {
    config: { access: 'session', protects: true, tag: 'user', order: 166 },
    schema: {
      operationId: 'unlinkProviderAccount',
      summary: 'Unlink an account at a provider',
      description:
        'The signed-in user can no longer sign in with it, and the other sessions that began ' +
        'with it end. Requires a recent authentication, and another way to sign in.',
      params: closed({ id: Id('Id of the linked account') }),
      response: {
        204: NoContent('The account was unlinked'),
        403: problem('There is no recent authentication', 'reauthentication-required'),
        404: problem('The user has no linked account with this id', 'provider-account-not-found'),
        409: problem(
          'It is the only way to sign in, or the user must sign in with this provider',
          'last-sign-in-method',
          'managed-by-provider'
        )
      }
    },
    handler: async (request) => unlinkOwnProvider(app.context, request.self, request.params)
  })
}) satisfies FastifyPluginAsyncTypebox
