import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createFlag,
  deleteFlag,
  findFlag,
  listFlags,
  updateFlag
} from '../../../src/domain/flags/flags.ts'
import { Flag, FlagKey, FlagPage, FlagPatch, NewFlag } from '../../../src/schemas/flags.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const params = closed({ key: FlagKey })
const missing = problem('There is no feature flag with this key')
const changed = problem('The flag was changed since the revision that If-Match names')

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/flags',
    {
      config: { access: { permission: 'flags:read' } },
      schema: {
        operationId: 'listFlags',
        summary: 'List feature flags',
        description: 'All feature flags, by key unless sorted otherwise.',
        tags: ['flags'],
        querystring: listQuery(['key', '-createdAt'], {}),
        response: { 200: ref(FlagPage, 'A page of feature flags', headers.link) }
      }
    },
    async (request, reply) =>
      reply.page(await listFlags(app.db, { ...request.query, after: request.position() }))
  )

  app.post(
    '/flags',
    {
      config: { access: { permission: 'flags:create' } },
      schema: {
        operationId: 'createFlag',
        summary: 'Make a feature flag',
        description:
          'Variants are of one type, the weights of a split sum to 100000, and rules name variants and roles that exist.',
        tags: ['flags'],
        body: ref(NewFlag),
        response: {
          201: ref(Flag, 'The flag was made', { ...headers.location, ...headers.etag }),
          409: problem('There is a feature flag with this key')
        }
      }
    },
    async (request, reply) => {
      const flag = await createFlag(app.db, request.actor, request.body)
      return reply
        .code(201)
        .header('location', `/api/admin/flags/${flag.key}`)
        .send(reply.tagged(flag))
    }
  )

  app.get(
    '/flags/:key',
    {
      config: { access: { permission: 'flags:read' } },
      schema: {
        operationId: 'getFlag',
        summary: 'Read a feature flag',
        description: 'One feature flag. The ETag serves a later change.',
        tags: ['flags'],
        params,
        response: { 200: ref(Flag, 'The flag', headers.etag), 404: missing }
      }
    },
    async (request, reply) => reply.tagged(await findFlag(app.db, request.params.key))
  )

  app.patch(
    '/flags/:key',
    {
      config: { access: { permission: 'flags:update' } },
      schema: {
        operationId: 'updateFlag',
        summary: 'Change a feature flag',
        description:
          'A merge patch that counts on the next evaluation. Rules are replaced, variants merged by name.',
        tags: ['flags'],
        params,
        headers: ifMatch,
        body: ref(FlagPatch),
        response: {
          200: ref(Flag, 'The flag as it is now', headers.etag),
          404: missing,
          412: changed
        }
      }
    },
    async (request, reply) =>
      reply.tagged(
        await updateFlag(
          app.db,
          request.actor,
          request.params.key,
          request.body,
          request.expected()
        )
      )
  )

  app.delete(
    '/flags/:key',
    {
      config: { access: { permission: 'flags:delete' } },
      schema: {
        operationId: 'deleteFlag',
        summary: 'Delete a feature flag',
        description:
          'Whoever asks for it is told that it does not exist. To keep it and its rules, disable it.',
        tags: ['flags'],
        params,
        headers: ifMatch,
        response: { 204: NoContent('The flag is gone'), 404: missing, 412: changed }
      }
    },
    async (request, reply) => {
      await deleteFlag(app.db, request.actor, request.params.key, request.expected())
      return reply.code(204).send()
    }
  )
}

export default routes
