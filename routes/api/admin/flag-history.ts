import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listFlagRevisions, restoreFlag } from '../../../src/domain/flags/restore.ts'
import { listDeleted } from '../../../src/domain/flags/revisions.ts'
import {
  DeletedFlagPage,
  FlagRevisionPage,
  Restoration
} from '../../../src/schemas/flag-revisions.ts'
import { Flag, FlagKey } from '../../../src/schemas/flags.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'

const params = closed({ key: FlagKey })

export default (async (app) => {
  app.get('/flags/:key/revisions', {
    config: { access: { permission: 'flags:read' }, tag: 'flags', order: 60 },
    schema: {
      operationId: 'listFlagRevisions',
      summary: 'List the versions of a feature flag',
      description:
        'Returns every saved state of a flag, newest first by default, also of a deleted one. ' +
        'Only callers with `activity:read` learn who made a change.',
      params,
      querystring: listQuery(['-version'], {}),
      response: {
        200: ref(FlagRevisionPage, 'A page of versions', headers.link),
        404: problem('No feature flag has or had this key', 'flag-not-found')
      }
    },
    handler: async (request, reply) =>
      reply.page(
        await listFlagRevisions(app.db, request.actor, {
          ...request.params,
          ...request.query,
          after: request.cursorPosition()
        })
      )
  })

  app.post('/flags/:key/restore', {
    config: { access: { permission: 'flags:update' }, tag: 'flags', order: 70 },
    schema: {
      operationId: 'restoreFlag',
      summary: 'Restore an earlier version of a feature flag',
      description:
        'Writes a new version with the definition of an earlier one. A deleted flag is created ' +
        'again, which requires `flags:create` as well; If-Match then names the version of the ' +
        'deletion.',
      params,
      headers: ifMatch,
      body: ref(Restoration),
      response: {
        200: ref(Flag, 'The restored feature flag', headers.etag),
        403: problem(
          'The caller lacks `flags:update`, or `flags:create` and the flag was deleted',
          'permission-denied'
        ),
        404: problem(
          'No feature flag has or had this key, or it has no such version',
          'flag-not-found',
          'revision-not-found'
        ),
        409: problem(
          'The version is a deletion, has another type, or names roles or segments that no ' +
            'longer exist; or the flag was created meanwhile',
          'revision-not-restorable',
          'flag-exists'
        ),
        412: problem(
          'The feature flag was changed after the revision given in If-Match',
          'precondition-failed'
        )
      }
    },
    handler: async (request, reply) =>
      reply.withEtag(
        await restoreFlag(app.db, request.actor, {
          ...request.params,
          ...request.body,
          expected: request.ifMatchRevisions()
        })
      )
  })

  app.get('/deleted-flags', {
    config: { access: { permission: 'flags:read' }, tag: 'flags', order: 80 },
    schema: {
      operationId: 'listDeletedFlags',
      summary: 'List deleted feature flags and segments',
      description:
        'Returns the flags and segments that were deleted and can be restored, sorted by key by ' +
        'default.',
      querystring: listQuery(['key'], {}),
      response: { 200: ref(DeletedFlagPage, 'A page of deleted flags and segments', headers.link) }
    },
    handler: async (request, reply) =>
      reply.page(
        await listDeleted(app.db, request.actor, {
          ...request.query,
          after: request.cursorPosition()
        })
      )
  })
}) satisfies FastifyPluginAsyncTypebox
