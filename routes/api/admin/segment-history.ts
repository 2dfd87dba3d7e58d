import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listSegmentRevisions, restoreSegment } from '../../../src/domain/flags/restore.ts'
import { Restoration } from '../../../src/schemas/flag-revisions.ts'
import { SegmentKey } from '../../../src/schemas/flag-rules.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { Segment, SegmentRevisionPage } from '../../../src/schemas/segments.ts'

const params = closed({ key: SegmentKey })

export default (async (app) => {
  app.get('/segments/:key/revisions', {
    config: { access: { permission: 'flags:read' }, tag: 'flags', order: 110 },
    schema: {
      operationId: 'listSegmentRevisions',
      summary: 'List the versions of a segment',
      description:
        'Returns every saved state of a segment, newest first by default, also of a deleted one. ' +
        'Only callers with `activity:read` learn who made a change.',
      params,
      querystring: listQuery(['-version'], {}),
      response: {
        200: ref(SegmentRevisionPage, 'A page of versions', headers.link),
        404: problem('No segment has or had this key', 'segment-not-found')
      }
    },
    handler: async (request, reply) =>
      reply.page(
        await listSegmentRevisions(app.db, request.actor, {
          ...request.params,
          ...request.query,
          after: request.cursorPosition()
        })
      )
  })

  app.post('/segments/:key/restore', {
    config: { access: { permission: 'flags:update' }, tag: 'flags', order: 120 },
    schema: {
      operationId: 'restoreSegment',
      summary: 'Restore an earlier version of a segment',
      description:
        'Writes a new version with the definition of an earlier one. A deleted segment is ' +
        'created again, which requires `flags:create` as well; If-Match then names the version ' +
        'of the deletion.',
      params,
      headers: ifMatch,
      body: ref(Restoration),
      response: {
        200: ref(Segment, 'The restored segment', headers.etag),
        403: problem(
          'The caller lacks `flags:update`, or `flags:create` and the segment was deleted',
          'permission-denied'
        ),
        404: problem(
          'No segment has or had this key, or it has no such version',
          'segment-not-found',
          'revision-not-found'
        ),
        409: problem(
          'The version is a deletion, or names roles that no longer exist; the segment was ' +
            'created meanwhile; or there are too many',
          'revision-not-restorable',
          'segment-exists',
          'too-many-segments'
        ),
        412: problem(
          'The segment was changed after the revision given in If-Match',
          'precondition-failed'
        )
      }
    },
    handler: async (request, reply) =>
      reply.withEtag(
        await restoreSegment(app.db, request.actor, {
          ...request.params,
          ...request.body,
          expected: request.ifMatchRevisions()
        })
      )
  })
}) satisfies FastifyPluginAsyncTypebox
