import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { countFlags, createFlag, deleteFlag, listFlags } from '../../../src/domain/flags/flags.ts'
import { requireKnownSettings } from '../../../src/domain/flags/caller-settings.ts'
import { tryFlag } from '../../../src/domain/flags/trial.ts'
import { person } from '../../../src/http/callers.ts'
import { addFlagRoutes, flagBody } from '../../../src/http/flag-routes.ts'
import { whichOf, windowOf } from '../../../src/http/inputs.ts'
import { FlagTrial, FlagTrialResult } from '../../../src/schemas/flag-trial.ts'
import { Flag, flagFilters, FlagKey, FlagPage, NewFlag } from '../../../src/schemas/flags.ts'
import { ifMatch, listQuery } from '../../../src/schemas/lists.ts'
import { closed, headers, NoContent, ref } from '../../../src/schemas/primitives.ts'
import { changedSince, problem } from '../../../src/schemas/problem.ts'

const params = closed({ key: FlagKey })
const missing = problem('No feature flag has this key', 'flag-not-found')
const changed = changedSince('feature flag')

export default (async (app) => {
  app.get('/flags', {
    config: { access: { permission: 'flags:read' }, tag: 'flags', order: 10 },
    schema: {
      operationId: 'listFlags',
      summary: 'List feature flags',
      description: 'Returns all feature flags, sorted by key by default.',
      querystring: listQuery(['key', '-createdAt'], flagFilters),
      response: { 200: ref(FlagPage, 'A page of feature flags', headers.link) }
    },
    handler: async (request, reply) => {
      const { query } = request
      const [page, total] = await Promise.all([
        listFlags(app.db, windowOf(request)),
        countFlags(app.db, query)
      ])
      return { ...reply.page(page), total }
    }
  })

  app.post('/flags', {
    config: { access: { permission: 'flags:create' }, tag: 'flags' },
    bodyLimit: flagBody,
    schema: {
      operationId: 'createFlag',
      summary: 'Create a feature flag',
      description:
        'All variants have the type of the flag, the weights of a split add up to 100000, and ' +
        'rules refer to existing variants, roles and segments.',
      body: ref(NewFlag),
      response: {
        201: ref(Flag, 'The created feature flag', { ...headers.location, ...headers.etag }),
        409: problem('A feature flag with this key already exists', 'flag-exists')
      }
    },
    handler: async (request, reply) => {
      requireKnownSettings(app.settings, request.body.rules)
      const flag = await createFlag(app.db, request.actor, request.body)
      reply.header('location', `/api/admin/flags/${flag.key}`)
      return reply.withEtag(flag)
    }
  })

  app.post('/flags/evaluate', {
    config: {
      access: { permission: 'flags:read' },
      tag: 'flags',
      order: 20,
      changesNothing: true
    },
    bodyLimit: flagBody + 16_384, // a definition and a context
    schema: {
      operationId: 'tryFlag',
      summary: 'Evaluate a flag and explain the result',
      description:
        'Evaluates a saved flag or an unsaved definition as OFREP does, for a user or a ' +
        'made-up context, and returns which rule and which bucket decided. Changes nothing. A ' +
        'definition is checked as if it were saved. `sample` counts how many made-up targeting ' +
        'keys get each variant.',
      body: ref(FlagTrial),
      response: {
        200: ref(FlagTrialResult, 'The result, and how it was decided'),
        403: problem(
          'The caller lacks `flags:read`, or `users:read` and the context names a user',
          'permission-denied'
        ),
        404: problem(
          'No feature flag has this key, or no user has this id',
          'flag-not-found',
          'user-not-found'
        )
      }
    },
    handler: async (request) => tryFlag(app.context, request.actor, request.body)
  })

  addFlagRoutes(app, person)

  app.delete('/flags/:key', {
    config: { access: { permission: 'flags:delete' }, tag: 'flags' },
    schema: {
      operationId: 'deleteFlag',
      summary: 'Delete a feature flag',
      description:
        'Evaluations of a deleted flag return `FLAG_NOT_FOUND`. To keep the flag and its ' +
        'rules, disable it instead.',
      params,
      headers: ifMatch,
      response: { 204: NoContent('The feature flag was deleted'), 404: missing, 412: changed }
    },
    handler: async (request) => deleteFlag(app.db, request.actor, whichOf(request))
  })
}) satisfies FastifyPluginAsyncTypebox
