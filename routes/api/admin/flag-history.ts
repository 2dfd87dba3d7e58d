import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import {
  listFlagRevisions,
  listSegmentRevisions,
  restoreFlag,
  restoreSegment
} from '../../../src/domain/flags/restore.ts'
import { listDeleted } from '../../../src/domain/flags/revisions.ts'
import type { ProblemCode } from '../../../src/problems/list.ts'
import {
  DeletedFlagPage,
  FlagRevisionPage,
  Restoration
} from '../../../src/schemas/flag-revisions.ts'
import { whichOf, windowOf } from '../../../src/http/inputs.ts'
import { SegmentKey } from '../../../src/schemas/flag-rules.ts'
import { Flag, FlagKey } from '../../../src/schemas/flags.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, ref } from '../../../src/schemas/primitives.ts'
import { changedSince, problem } from '../../../src/schemas/problem.ts'
import type { ProblemResponse } from '../../../src/schemas/problem.ts'
import { Segment, SegmentRevisionPage } from '../../../src/schemas/segments.ts'

const reads = { permission: 'flags:read' } as const
const writes = { permission: 'flags:update' } as const

interface History {
  /** In operation ids. */
  name: 'Flag' | 'Segment'
  noun: string
  short: string
  key: typeof FlagKey | typeof SegmentKey
  page: TSchema
  item: TSchema
  missing: ProblemCode
  conflict: ProblemResponse
  list: typeof listFlagRevisions | typeof listSegmentRevisions
  restore: typeof restoreFlag | typeof restoreSegment
}

/** The versions of a flag or a segment, which outlive it. */
function addHistory(
  base: FastifyInstance,
  url: string,
  order: number,
  { name, noun, short, key, page, item, missing, conflict, list, restore }: History
) {
  const app = base.withTypeProvider<TypeBoxTypeProvider>()
  const params = closed({ key })
  app.get(`${url}/revisions`, {
    config: { access: reads, tag: 'flags', order },
    schema: {
      operationId: `list${name}Revisions`,
      summary: `List the versions of a ${noun}`,
      description:
        `Returns every saved state of a ${short}, newest first by default, also of a deleted ` +
        'one. Only callers with `activity:read` learn who made a change.',
      params,
      querystring: listQuery(['-version'], {}),
      response: {
        200: ref(page, 'A page of versions', headers.link),
        404: problem(`No ${noun} has or had this key`, missing)
      }
    },
    handler: async (request, reply) =>
      reply.page<object>(
        await list(app.db, request.actor, { ...request.params, ...windowOf(request) })
      )
  })

  app.post(`${url}/restore`, {
    config: { access: writes, tag: 'flags', order: order + 10 },
    schema: {
      operationId: `restore${name}`,
      summary: `Restore an earlier version of a ${noun}`,
      description:
        `Writes a new version with the definition of an earlier one. A deleted ${short} is ` +
        'created again, which requires `flags:create` as well; If-Match then names the version ' +
        'of the deletion.',
      params,
      headers: ifMatch,
      body: ref(Restoration),
      response: {
        200: ref(item, `The restored ${noun}`, headers.etag),
        403: problem(
          `The caller lacks \`flags:update\`, or \`flags:create\` and the ${short} was deleted`,
          'permission-denied'
        ),
        404: problem(
          `No ${noun} has or had this key, or it has no such version`,
          missing,
          'revision-not-found'
        ),
        409: conflict,
        412: changedSince(noun)
      }
    },
    handler: async (request, reply) =>
      reply.withEtag(await restore(app.db, request.actor, { ...whichOf(request), ...request.body }))
  })
}

export default (async (app) => {
  addHistory(app, '/flags/:key', 60, {
    ...{ name: 'Flag', noun: 'feature flag', short: 'flag', missing: 'flag-not-found' },
    ...{ key: FlagKey, page: FlagRevisionPage, item: Flag },
    ...{ list: listFlagRevisions, restore: restoreFlag },
    conflict: problem(
      'The version is a deletion, has another type, or names roles or segments that no longer ' +
        'exist; or the flag was created meanwhile',
      'revision-not-restorable',
      'flag-exists'
    )
  })

  app.get('/deleted-flags', {
    config: { access: reads, tag: 'flags', order: 80 },
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
      reply.page(await listDeleted(app.db, request.actor, windowOf(request)))
  })

  addHistory(app, '/segments/:key', 110, {
    ...{ name: 'Segment', noun: 'segment', short: 'segment', missing: 'segment-not-found' },
    ...{ key: SegmentKey, page: SegmentRevisionPage, item: Segment },
    ...{ list: listSegmentRevisions, restore: restoreSegment },
    conflict: problem(
      'The version is a deletion, or names roles that no longer exist; the segment was created ' +
        'meanwhile; or there are too many',
      'revision-not-restorable',
      'segment-exists',
      'too-many-segments'
    )
  })
}) satisfies FastifyPluginAsyncTypebox
