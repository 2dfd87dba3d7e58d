import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import {
  listFlagRevisions,
  listSegmentRevisions,
  restoreFlag,
  restoreSegment
} from '../../../src/domain/flags/restore.ts'
import { listDeleted } from '../../../src/domain/flags/revisions.ts'
import type { Page } from '../../../src/domain/keyset.ts'
import {
  DeletedFlagPage,
  FlagRevisionPage,
  Restoration
} from '../../../src/schemas/flag-revisions.ts'
import { SegmentKey } from '../../../src/schemas/flag-rules.ts'
import { Flag, FlagKey } from '../../../src/schemas/flags.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, ref } from '../../../src/schemas/primitives.ts'
import { problem } from '../../../src/schemas/problem.ts'
import { Segment, SegmentRevisionPage } from '../../../src/schemas/segments.ts'

interface Kind {
  name: 'flag' | 'segment'
  noun: string
  id: string
  order: number
  params: typeof flagParams
  page: TSchema
  one: TSchema
  conflict: ReturnType<typeof problem>
  list: (...wanted: Parameters<typeof listFlagRevisions>) => Promise<Page<object>>
  restore: (...wanted: Parameters<typeof restoreFlag>) => Promise<{ revision: string }>
}

const flagParams = closed({ key: FlagKey })
const kinds: Kind[] = [
  {
    ...{ name: 'flag', noun: 'feature flag', id: 'Flag', order: 60 },
    params: flagParams,
    ...{ list: listFlagRevisions, page: FlagRevisionPage, restore: restoreFlag, one: Flag },
    conflict: problem(
      'The version is a deletion, has another type, or names roles or segments that no longer ' +
        'exist; or the flag was created meanwhile',
      'revision-not-restorable',
      'flag-exists'
    )
  },
  {
    ...{ name: 'segment', noun: 'segment', id: 'Segment', order: 110 },
    params: closed({ key: SegmentKey }),
    ...{ list: listSegmentRevisions, page: SegmentRevisionPage },
    ...{ restore: restoreSegment, one: Segment },
    conflict: problem(
      'The version is a deletion, or names roles that no longer exist; the segment was created ' +
        'meanwhile; or there are too many',
      'revision-not-restorable',
      'segment-exists',
      'too-many-segments'
    )
  }
]

export default (async (app) => {
  for (const { name, noun, id, order, params, list, page, restore, one, conflict } of kinds) {
    app.get(`/${name}s/:key/revisions`, {
      config: { access: { permission: 'flags:read' }, tag: 'flags', order },
      schema: {
        operationId: `list${id}Revisions`,
        summary: `List the versions of a ${noun}`,
        description:
          `Returns every saved state of a ${name}, newest first by default, also of a deleted ` +
          'one. Only callers with `activity:read` learn who made a change.',
        params,
        querystring: listQuery(['-version'], {}),
        response: {
          200: ref(page, 'A page of versions', headers.link),
          404: problem(`No ${noun} has or had this key`, `${name}-not-found`)
        }
      },
      handler: async (request, reply) =>
        reply.page(
          await list(app.db, request.actor, {
            ...request.params,
            ...request.query,
            after: request.cursorPosition()
          })
        )
    })

    app.post(`/${name}s/:key/restore`, {
      config: { access: { permission: 'flags:update' }, tag: 'flags', order: order + 10 },
      schema: {
        operationId: `restore${id}`,
        summary: `Restore an earlier version of a ${noun}`,
        description:
          `Writes a new version with the definition of an earlier one. A deleted ${name} is ` +
          'created again, which requires `flags:create` as well; If-Match then names the version ' +
          'of the deletion.',
        params,
        headers: ifMatch,
        body: ref(Restoration),
        response: {
          200: ref(one, `The restored ${noun}`, headers.etag),
          403: problem(
            `The caller lacks \`flags:update\`, or \`flags:create\` and the ${name} was deleted`,
            'permission-denied'
          ),
          404: problem(
            `No ${noun} has or had this key, or it has no such version`,
            `${name}-not-found`,
            'revision-not-found'
          ),
          409: conflict,
          412: problem(
            `The ${noun} was changed after the revision given in If-Match`,
            'precondition-failed'
          )
        }
      },
      handler: async (request, reply) =>
        reply.withEtag(
          await restore(app.db, request.actor, {
            ...request.params,
            ...request.body,
            expected: request.ifMatchRevisions()
          })
        )
    })
  }

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
