import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireSettings } from '../../../src/domain/flags/caller-settings.ts'
import {
  createSegment,
  deleteSegment,
  findSegment,
  listSegments,
  updateSegment
} from '../../../src/domain/flags/segments.ts'
import { changesOf, whichOf, windowOf } from '../../../src/http/inputs.ts'
import { SegmentKey } from '../../../src/schemas/flag-rules.ts'
import { ifMatch, listQuery, search } from '../../../src/schemas/lists.ts'
import { closed, headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { changedSince, problem } from '../../../src/schemas/problem.ts'
import { NewSegment, Segment, SegmentPage, SegmentPatch } from '../../../src/schemas/segments.ts'

/** A segment can list 1,000 user ids. */
const segmentBody = 49_152
const params = closed({ key: SegmentKey })
const missing = problem('No segment has this key', 'segment-not-found')
const changed = changedSince('segment')

export default (async (app) => {
  app.get('/segments', {
    config: { access: { permission: 'flags:read' }, tag: 'flags', order: 90 },
    schema: {
      operationId: 'listSegments',
      summary: 'List segments',
      description: 'Returns all segments, sorted by key by default.',
      querystring: listQuery(['key', '-createdAt'], search('the key or the description')),
      response: { 200: ref(SegmentPage, 'A page of segments', headers.link) }
    },
    handler: async (request, reply) => reply.page(await listSegments(app.db, windowOf(request)))
  })

  app.post('/segments', {
    config: { access: { permission: 'flags:create' }, tag: 'flags' },
    bodyLimit: segmentBody,
    schema: {
      operationId: 'createSegment',
      summary: 'Create a segment',
      description: 'Rules of flags can name the segment in `segmentsAny`. At most 200 can exist.',
      body: ref(NewSegment),
      response: {
        201: ref(Segment, 'The created segment', { ...headers.location, ...headers.etag }),
        409: problem(
          'A segment with this key already exists, or there are too many',
          'segment-exists',
          'too-many-segments'
        )
      }
    },
    handler: async (request, reply) => {
      requireSettings(app.settings, [['/when', request.body.when]])
      const segment = await createSegment(app.db, request.actor, request.body)
      reply.header('location', `/api/admin/segments/${segment.key}`)
      return reply.withEtag(segment)
    }
  })

  app.get('/segments/:key', {
    config: { access: { permission: 'flags:read' }, tag: 'flags', order: 100 },
    schema: {
      operationId: 'getSegment',
      summary: 'Get a segment',
      description: 'Returns a segment. Send its ETag in If-Match when you update or delete it.',
      params,
      response: { 200: ref(Segment, 'The segment', headers.etag), 404: missing }
    },
    handler: async (request, reply) => reply.withEtag(await findSegment(app.db, request.params.key))
  })

  app.patch('/segments/:key', {
    config: { access: { permission: 'flags:update' }, tag: 'flags' },
    bodyLimit: segmentBody,
    schema: {
      operationId: 'updateSegment',
      summary: 'Update a segment',
      description:
        'Replaces the description, the conditions or both. The change takes effect with the ' +
        'next evaluation of every flag that names the segment.',
      params,
      headers: ifMatch,
      body: ref(SegmentPatch),
      response: {
        200: ref(Segment, 'The updated segment', headers.etag),
        404: missing,
        412: changed
      }
    },
    async handler(request, reply) {
      const { when } = request.body
      requireSettings(app.settings, when && [['/when', when]])
      return reply.withEtag(await updateSegment(app.db, request.actor, changesOf(request)))
    }
  })

  app.delete('/segments/:key', {
    config: { access: { permission: 'flags:delete' }, tag: 'flags' },
    schema: {
      operationId: 'deleteSegment',
      summary: 'Delete a segment',
      description: 'Deletes a segment that no flag names. It can be restored.',
      params,
      headers: ifMatch,
      response: {
        204: NoContent('The segment was deleted'),
        404: missing,
        409: problem('Rules of flags name the segment', 'segment-in-use'),
        412: changed
      }
    },
    handler: async (request) => deleteSegment(app.db, request.actor, whichOf(request))
  })
}) satisfies FastifyPluginAsyncTypebox
