import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  removeUserPasskey,
  removeUserTotp,
  resetSecondFactor
} from '../../../src/domain/administration/factor-removal.ts'
import { listFactors } from '../../../src/domain/factors/list.ts'
import { withName } from '../../../src/domain/providers/provider.ts'
import { UserFactors } from '../../../src/schemas/factors.ts'
import { closed, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { exceedsUser, noUser, problem } from '../../../src/schemas/problem.ts'

const params = closed({ id: Id('User id') })
const access = { permission: 'users:update' } as const

export default (async (app) => {
  app.get('/users/:id/factors', {
    config: { access: { permission: 'users:read' }, tag: 'users' },
    schema: {
      operationId: 'getUserFactors',
      summary: "Get a user's second factors",
      description:
        'Returns the authenticator app, the passkeys, the number of recovery codes and the ' +
        'linked accounts of a user, with their ages and when each was used last.',
      params,
      response: { 200: ref(UserFactors, 'The second factors'), 404: noUser }
    },
    handler: async (request) => {
      const { providers, ...factors } = await listFactors(app.db, { userId: request.params.id })
      return { ...factors, providers: providers.map(withName(app.config.providers)) }
    }
  })

  app.delete('/users/:id/factors/totp', {
    config: { access, tag: 'users' },
    schema: {
      operationId: 'removeUserTotp',
      summary: "Remove a user's authenticator app",
      description:
        'Ends every session of the user and notifies them. With the last second factor, the ' +
        'recovery codes are deleted, and signing in no longer requires one. Has no effect when ' +
        'the user has no app.',
      params,
      response: {
        204: NoContent('The user has no authenticator app'),
        403: exceedsUser,
        404: noUser
      }
    },
    handler: async (request) =>
      removeUserTotp(app.context, request.actor, { userId: request.params.id })
  })

  app.delete('/users/:id/factors/passkeys/:passkeyId', {
    config: { access, tag: 'users' },
    schema: {
      operationId: 'removeUserPasskey',
      summary: "Remove a user's passkey",
      description:
        'Ends every session of the user and notifies them. With the last second factor, the ' +
        'recovery codes are deleted, and signing in no longer requires one.',
      params: closed({ id: Id('User id'), passkeyId: Id('Passkey id') }),
      response: {
        204: NoContent('The passkey was removed'),
        403: exceedsUser,
        404: problem(
          'The user does not exist, or has no such passkey',
          'user-not-found',
          'passkey-not-found'
        )
      }
    },
    handler: async (request) => {
      const { id: userId, passkeyId } = request.params
      await removeUserPasskey(app.context, request.actor, { userId, passkeyId })
    }
  })

  app.delete('/users/:id/second-factors', {
    config: { access, tag: 'users' },
    schema: {
      operationId: 'resetSecondFactors',
      summary: "Remove a user's second factors",
      description:
        'For a user who has lost them: removes the authenticator app, all passkeys and all ' +
        'recovery codes, and ends every session of the user. Has no effect when there is ' +
        'nothing to remove.',
      params,
      response: {
        204: NoContent('All second factors of the user are removed'),
        403: exceedsUser,
        404: noUser
      }
    },
    handler: async (request) =>
      resetSecondFactor(app.context, request.actor, { userId: request.params.id })
  })
}) satisfies FastifyPluginAsyncTypebox
