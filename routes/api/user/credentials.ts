import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changePassword, deleteOwnAccount } from '../../../src/domain/accounts/credentials.ts'
import { headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { passingProblem, unproved } from '../../../src/schemas/problem.ts'
import { AccountDeletion, PasswordChange, PlannedDeletion } from '../../../src/schemas/users.ts'

export default (async (app) => {
  app.put('/password', {
    config: { access: 'session', protects: true, tag: 'user', order: 190 },
    schema: {
      operationId: 'setOwnPassword',
      summary: "Set the current user's password",
      description:
        'Changes the password, ends every other session of the user and issues a new cookie ' +
        'for this session. The previous cookie is no longer valid; API keys still work. If the ' +
        'account needs a second factor, a recent authentication with it is required as well.',
      body: ref(PasswordChange),
      response: {
        204: NoContent('The password was changed; Set-Cookie carries the new session cookie', {
          ...headers.setCookie,
          ...headers.activeKeys
        }),
        403: unproved
      }
    },
    handler: async (request, reply) => {
      const { session, secret, device, keys } = await changePassword(
        app.context,
        request.self,
        request.body
      )
      reply.setPortalCookie('session', app.sessionTokens.sign(session, secret))
      reply.setPortalCookie('device', device)
      if (keys > 0) reply.header('portal-active-keys', keys)
    }
  })

  app.post('/deletion', {
    config: { access: 'session', tag: 'user', order: 200 },
    schema: {
      operationId: 'deleteOwnAccount',
      summary: "Delete the current user's account",
      description:
        'Permanently deletes the account and its sessions; or, where users can restore it for ' +
        'some days (`deletionGraceDays` of `getSignInOptions`), ends its sessions and plans the ' +
        'deletion (202). Requires the current password or a ' +
        'recent authentication; only the latter counts if the account needs a second factor. ' +
        'Refused for 72 hours after a change of the e-mail address, while its former owner can ' +
        'take the account back. Its activity records are kept until their retention period ends.',
      body: ref(AccountDeletion),
      response: {
        202: ref(
          PlannedDeletion,
          'The deletion is planned; the cookies are cleared',
          headers.setCookie
        ),
        204: NoContent('The account was deleted; its cookies are cleared', headers.setCookie),
        403: unproved,
        409: passingProblem(
          'The user is the last administrator, or a link can still restore a former address',
          'last-admin',
          'deletion-waits'
        )
      }
    },
    handler: async (request, reply) => {
      const deleteAt = await deleteOwnAccount(app.context, request.self, request.body)
      reply.clearPortalCookie('session')
      reply.clearPortalCookie('device')
      if (!deleteAt) return reply.code(204).send()
      return reply.code(202).send({ deleteAt: deleteAt.toISOString() })
    }
  })
}) satisfies FastifyPluginAsyncTypebox
