import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { requireKnownSettings } from '../domain/flags/caller-settings.ts'
import { findFlag, updateFlag } from '../domain/flags/flags.ts'
import { changesOf } from './inputs.ts'
import { Flag, FlagKey, FlagPatch } from '../schemas/flags.ts'
import { ifMatch } from '../schemas/lists.ts'
import { closed, headers, ref } from '../schemas/primitives.ts'
import { changedSince, problem } from '../schemas/problem.ts'
import type { Caller } from './callers.ts'

/** The variants alone can take 16 KiB; the rest is for rules, such as 800 user ids. */
export const flagBody = 49_152
const params = closed({ key: FlagKey })
const missing = problem('No feature flag has this key', 'flag-not-found')

/** Adds the routes that show and update a feature flag. */
export function addFlagRoutes(instance: FastifyInstance, { config, name }: Caller) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/flags/:key', {
    config: { ...config('flags:read', 'flags'), order: 50 },
    schema: {
      operationId: name('getFlag'),
      summary: 'Get a feature flag',
      description:
        'Returns a feature flag. Send its ETag in If-Match when you update or delete it.',
      params,
      response: { 200: ref(Flag, 'The feature flag', headers.etag), 404: missing }
    },
    handler: async (request, reply) => reply.withEtag(await findFlag(app.db, request.params.key))
  })

  app.patch('/flags/:key', {
    config: config('flags:update', 'flags'),
    bodyLimit: flagBody,
    schema: {
      operationId: name('updateFlag'),
      summary: 'Update a feature flag',
      description:
        'Applies a merge patch. Rules are replaced as a whole; variants are merged by name. ' +
        'The change takes effect with the next evaluation.',
      params,
      headers: ifMatch,
      body: ref(FlagPatch),
      response: {
        200: ref(Flag, 'The updated feature flag', headers.etag),
        404: missing,
        412: changedSince('feature flag')
      }
    },
    async handler(request, reply) {
      requireKnownSettings(app.settings, request.body.rules)
      return reply.withEtag(await updateFlag(app.db, request.actor, changesOf(request)))
    }
  })
}
