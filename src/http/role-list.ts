import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { listRoles } from '../domain/access/roles.ts'
import { windowOf } from './inputs.ts'
import { listQuery, search } from '../schemas/lists.ts'
import { headers, ref } from '../schemas/primitives.ts'
import { RolePage } from '../schemas/roles.ts'
import type { Caller } from './callers.ts'

/** Adds the list of roles. */
export function addRoleList(instance: FastifyInstance, { config, name }: Caller) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/roles', {
    config: config('roles:read', 'roles'),
    schema: {
      operationId: name('listRoles'),
      summary: 'List roles',
      description: 'Returns all roles with their permissions, sorted by key by default.',
      querystring: listQuery(['key', '-createdAt'], search('the key, the name or the description')),
      response: { 200: ref(RolePage, 'A page of roles', headers.link) }
    },
    handler: async (request, reply) => reply.page(await listRoles(app.db, windowOf(request)))
  })
}
