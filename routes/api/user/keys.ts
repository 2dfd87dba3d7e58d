import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listKeysOf } from '../../../src/domain/keys/keys.ts'
import { createOwnKey } from '../../../src/domain/services/key-creation.ts'
import { revokeOwnKey } from '../../../src/domain/services/key-revocation.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { ApiKeyPage, CreatedApiKey, NewApiKey } from '../../../src/schemas/keys.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

export default (async (app) => {
  app.get('/keys', {
    config: { access: 'session', tag: 'user', order: 163 },
    schema: {
      operationId: 'listOwnApiKeys',
      summary: "List the current user's API keys",
      description: 'Returns the API keys of the signed-in user, also those that have ended.',
      querystring: listQuery(['-createdAt'], {}),
      response: { 200: ref(ApiKeyPage, 'A page of keys', headers.link) }
    },
    handler: async (request, reply) =>
      reply.page(await listKeysOf(app.db, { type: 'user', id: request.self.id }, windowOf(request)))
  })

  app.post('/keys', {
    config: { access: { permission: 'keys:create' }, tag: 'user' },
    schema: {
      operationId: 'createOwnApiKey',
      summary: 'Create an API key',
      description:
        'Creates a key with which a program acts on behalf of the signed-in user, with the ' +
        "user's permissions at each moment or fewer. Roles that require a second factor count " +
        'for it only if this session has proved one and the account has one here, not only at a ' +
        'provider. The key is shown in this response only. ' +
        'Requires a recent authentication and, where mail is sent, a confirmed e-mail address.',
      body: ref(NewApiKey),
      response: {
        201: ref(CreatedApiKey, 'The new key'),
        403: problem(
          'The caller lacks `keys:create`, the caller or the key would lack a permission of its ' +
            'list, there is no recent authentication, or the e-mail address is not confirmed',
          'exceeds-own-permissions',
          'reauthentication-required',
          'email-unverified'
        ),
        409: problem('The user has the maximum number of API keys', 'too-many-keys')
      }
    },
    handler: async (request) => createOwnKey(app.context, request.self, request.body)
  })

  app.delete('/keys/:id', {
    config: { access: 'session', protects: true, tag: 'user', order: 166 },
    schema: {
      operationId: 'revokeOwnApiKey',
      summary: 'Revoke an API key',
      description: 'The next request with the key is rejected. It cannot be undone.',
      params: closed({ id: Id('Key id') }),
      response: {
        204: NoContent('The key was revoked'),
        404: problem('The user has no active API key with this id', 'key-not-found')
      }
    },
    handler: async (request) => revokeOwnKey(app.context, request.self, request.params)
  })
}) satisfies FastifyPluginAsyncTypebox
