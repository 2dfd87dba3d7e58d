import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SettingsDocument, SettingsPart } from '../../db/schema/users.ts'
import type { SystemPermission } from '../domain/permissions.ts'
import { changeSettings, readSettings, requireSettings } from '../domain/settings/settings.ts'
import type { ShownSettings } from '../domain/settings/settings.ts'
import { settingsComponents, SettingsSchema } from '../schemas/app-settings.ts'
import { ifMatch } from '../schemas/lists.ts'
import { closed, headers, Id, ref } from '../schemas/primitives.ts'
import { problem } from '../schemas/problem.ts'
import type { Tag } from './document/operation-tags.ts'

/** The routes of one part of the settings, for the user, for machines or for administrators. */
interface SettingsRoutes {
  /** With `:id`, except for the user's own. */
  url: string
  part: SettingsPart
  tag: Tag
  order?: number
  /** The end of the operation ids: `OwnSettings` makes `getOwnSettings`. */
  name: string
  whose: 'the signed-in user' | 'a user'
  reads: SystemPermission
  /** Without it, the part can only be read. */
  writes?: SystemPermission
  /** Whether the caller is an API key. */
  byKey?: boolean
}

const words = { user: 'user settings', app: 'app settings' } as const
const about = {
  user: 'User settings are what the app lets the user choose.',
  app: 'Only services and operators write them, so the app may trust them.'
} as const

/** Adds `GET`, and with `writes` also `PATCH` and `PUT`. */
export function addSettingsRoutes(
  app: FastifyInstance,
  { url, part, tag, order, name, whose, reads, writes, byKey }: SettingsRoutes
) {
  const own = whose === 'the signed-in user'
  const { shown, whole, patch } = settingsComponents[part]
  const what = `the ${words[part]} of ${whose}`
  const config = (permission: SystemPermission) => ({
    access: byKey ? { key: permission } : { permission },
    tag,
    ...(order !== undefined && { order })
  })
  const common = { ...(!own && { params: closed({ id: Id('User id') }) }) }
  const missing = own
    ? problem('The portal keeps no settings', 'settings-off')
    : problem(
        'The portal keeps no settings, or no user has this id',
        'settings-off',
        'user-not-found'
      )
  const responses = (description: string) => ({
    200: ref(shown, description, headers.etag),
    404: missing
  })
  const of = (request: FastifyRequest) => ({
    part,
    own,
    userId: own ? request.self.id : (request.params as { id: string }).id
  })
  const send = (reply: FastifyReply, { document, revision }: ShownSettings) => {
    reply.withEtag({ revision })
    return document
  }

  app.get(url, {
    config: config(reads),
    schema: {
      operationId: `get${name}`,
      summary: `Get ${what}`,
      description:
        `Returns ${what}, with the defaults of the app. ${about[part]} Values that ` +
        '`SETTINGS_SCHEMA` no longer accepts are left out.',
      ...common,
      response: responses(`The ${words[part]}`)
    },
    handler: async (request, reply) =>
      send(reply, await readSettings(app.db, requireSettings(app.settings), of(request)))
  })
  if (writes === undefined) return

  const change =
    (key: 'patch' | 'document') => async (request: FastifyRequest, reply: FastifyReply) =>
      send(
        reply,
        await changeSettings(app.context, request.actor, {
          ...of(request),
          permission: writes,
          change: { [key]: request.body } as { patch: SettingsDocument },
          expected: request.ifMatchRevisions()
        })
      )
  const changed = {
    ...responses(`The ${words[part]} after the change`),
    412: problem('They were changed after the revision in If-Match', 'precondition-failed')
  }
  app.patch(url, {
    config: config(writes),
    schema: {
      operationId: `update${name}`,
      summary: `Update ${what}`,
      description:
        'Applies a merge patch (RFC 7396): what is left out keeps its value, null removes a ' +
        'property, and a list is replaced. `SETTINGS_SCHEMA` says what is allowed.',
      ...common,
      headers: ifMatch,
      body: ref(patch),
      response: changed
    },
    handler: change('patch')
  })
  app.put(url, {
    config: config(writes),
    schema: {
      operationId: `replace${name}`,
      summary: `Replace ${what}`,
      description: 'Removes what is left out, which then has the default of the app again.',
      ...common,
      headers: ifMatch,
      body: ref(whole),
      response: changed
    },
    handler: change('document')
  })
}

/** Adds a route that returns the schema of both parts. */
export function addSettingsSchemaRoute(
  app: FastifyInstance,
  { url, tag, order, name, reads }: Pick<SettingsRoutes, 'url' | 'tag' | 'order' | 'name' | 'reads'>
) {
  app.get(url, {
    config: { access: { permission: reads }, tag, ...(order !== undefined && { order }) },
    schema: {
      operationId: `get${name}`,
      summary: 'Get the schema of the settings',
      description: 'Returns what `SETTINGS_SCHEMA` allows, for a page that makes a form of it.',
      response: {
        200: ref(SettingsSchema, 'The schema of both parts'),
        404: problem('The portal keeps no settings', 'settings-off')
      }
    },
    handler: async () => {
      const { user, app: ofApp } = requireSettings(app.settings)
      return { user: user.schema, app: ofApp.schema }
    }
  })
}
