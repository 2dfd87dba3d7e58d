import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listKeys } from '../../../src/domain/keys/keys.ts'
import { revokeKey } from '../../../src/domain/services/key-revocation.ts'
import { windowOf } from '../../../src/http/inputs.ts'
import { OwnedApiKeyPage } from '../../../src/schemas/keys.ts'
import { listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, Id, integer, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const filters = {
  owner: Type.Optional(Id('Only keys of the user or service with this id')),
  expiring: Type.Optional(
    integer(1, 365, 'Only active keys that expire within this many days', { examples: [14] })
  )
}

export default (async (app) => {
  app.get('/keys', {
    config: { access: { permission: 'keys:read' }, tag: 'keys' },
    schema: {
      operationId: 'listApiKeys',
      summary: 'List API keys',
      description: 'Returns the API keys of users and services, without their secrets.',
      querystring: listQuery(['-createdAt'], filters),
      response: { 200: ref(OwnedApiKeyPage, 'A page of keys', headers.link) }
    },
    handler: async (request, reply) => reply.page(await listKeys(app.db, windowOf(request)))
  })

  app.delete('/keys/:id', {
    config: { access: { permission: 'keys:revoke' }, tag: 'keys' },
    schema: {
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key of any owner',
      description: 'The next request with the key is rejected. It cannot be undone.',
      params: closed({ id: Id('Key id') }),
      response: {
        204: NoContent('The key was revoked'),
        403: problem(
          'The caller lacks `keys:revoke` or a permission that the owner of the key has',
          'exceeds-own-permissions'
        ),
        404: problem('No active API key has this id', 'key-not-found')
      }
    },
    handler: async (request) => revokeKey(app.db, request.actor, request.params)
  })
}) satisfies FastifyPluginAsyncTypebox
