import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { settingsParts } from '../../../db/schema/users.ts'
import { permissionOf, requiresKey, requiresSession } from '../../domain/permissions.ts'
import type { Access } from '../../domain/permissions.ts'
import { defaultOf } from '../../common/settings.ts'
import type { SettingSchema, SettingsSchemas } from '../../common/settings.ts'
import { settingsComponents } from '../../schemas/app-settings.ts'
import { ifNoneMatch } from '../../schemas/lists.ts'
import { headers, NoContent } from '../../schemas/primitives.ts'
import { version } from '../../version.ts'
import { sessionCookieName } from '../cookies.ts'
import { hasRevision } from '../etags.ts'
import type { Surface } from '../surface.ts'
import { completeResponses } from './common-responses.ts'
import type { Route } from './common-responses.ts'
import { finalizeDocument } from './finalize-document.ts'

/**
 * How the OpenAPI document is generated from the routes: the responses that each one declares, and
 * those that every route of its kind can send.
 */
export function openapiOptions(
  surface: Surface,
  settings?: SettingsSchemas,
  own: { tags?: Readonly<Record<string, string>> } = {}
): FastifyDynamicSwaggerOptions {
  const development = surface === 'development'
  // Relative to the address of the document, so it is right on every host and behind every proxy.
  const mode = development ? 'local development' : surface
  const server = {
    url: '/',
    description: `The portal that serves this document (${mode})`,
    'x-internal': surface !== 'production'
  }
  return {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'portal',
        version,
        description:
          'Sign-in, sessions, permissions, user settings, feature flags and an audit trail ' +
          'for a single-page app.',
        license: { name: 'MIT', identifier: 'MIT' }
      },
      servers: [server],
      components: {
        securitySchemes: {
          ...(surface === 'console'
            ? { session: bearerToken }
            : { session: sessionCookie(development), key: apiKey })
        }
      }
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json.$id === 'string' ? json.$id : `def-${i}`
    },
    transformObject(document) {
      if (!('openapiObject' in document)) return document.swaggerObject
      const published = finalizeDocument(document.openapiObject, own.tags)
      const { schemas = {} } = published.components ?? {}
      for (const [name, schema] of Object.entries(settings ? settingsSchemas(settings) : {})) {
        if (name in schemas) schemas[name] = schema
      }
      return published
    },
    transform: ({ schema, url, route }) => ({
      // Fastify serves the root of a folder of an app with and without the slash.
      url: url.replace(/(?<=.)\/$/, ''),
      schema: schema?.hide
        ? schema
        : complete(schema ?? {}, {
            method: String(route.method),
            config: route.config ?? {},
            surface
          })
    })
  }
}

const sessionCookie = (development: boolean) =>
  ({
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName(development),
    description:
      'Signed session token, set when the user signs in. It is sent in this cookie ' +
      'only, never in a body, another header or a URL.'
  }) as const

const bearerToken = {
  type: 'http',
  scheme: 'bearer',
  description: 'Token of a page of `portal console`, for which its link is exchanged.'
} as const

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description:
    'API key of a user or a service: `portal_`, 43 characters, `_`, and a checksum of 6. It is ' +
    'sent in `Authorization` only.'
} as const

const unchanged = NoContent('Nothing has changed since the ETag in If-None-Match', headers.etag)

/** The text of `x-access`: `key` stands before what an API key needs. */
const accessText = (access: Access | undefined) =>
  [requiresKey(access) ? 'key' : undefined, permissionOf(access)].filter(Boolean).join(' ') ||
  access

function complete(schema: FastifySchema, route: Route): FastifySchema {
  const { access, acceptsKeys, tag, order } = route.config
  const hasTag = route.method === 'GET' && hasRevision(schema)
  return {
    ...schema,
    ...(tag && { tags: [tag] }),
    ...(order !== undefined && { 'x-order': order }),
    ...(hasTag && { headers: ifNoneMatch }),
    response: { ...completeResponses(schema, route), ...(hasTag && { 304: unchanged }) },
    security: [
      ...(access === 'optional' ? [{}] : []),
      ...(access === 'optional' || requiresSession(access) ? [{ session: [] }] : []),
      ...(acceptsKeys || requiresKey(access) ? [{ key: [] }] : [])
    ],
    'x-access': accessText(access)
  } as FastifySchema
}

type Shown = Record<string, unknown>

/** The components as SETTINGS_SCHEMA has them, by which generated clients are typed. */
function settingsSchemas(schemas: SettingsSchemas): Record<string, Shown> {
  return Object.fromEntries(
    settingsParts.flatMap((part) => {
      const { shown, whole, patch } = settingsComponents[part]
      const schema = schemas[part]
      return [
        [shown.$id, described(shown, shownOf(schema))],
        [whole.$id, described(whole, wholeOf(schema))],
        [patch.$id, described(patch, patchOf(schema))]
      ] as [string, Shown][]
    })
  )
}

const described = ({ description }: { description?: string }, schema: Shown) => ({
  description,
  ...schema
})

/** The form in a response, where properties with a default are always there. */
function shownOf(schema: SettingSchema): Shown {
  return within(schema, shownOf, (properties, required) => [
    ...new Set([
      ...required,
      ...Object.keys(properties).filter((name) => defaultOf(properties[name]!) !== undefined)
    ])
  ])
}

/** The form in a request that replaces the whole: properties with a default may be left out. */
function wholeOf({ default: _, ...schema }: SettingSchema): Shown {
  return within(schema, wholeOf, (_properties, required) => required)
}

/** The form in a merge patch: everything may be left out, and null removes it. */
function patchOf({ default: _, ...schema }: SettingSchema): Shown {
  if (schema.type !== 'object') return wholeOf(schema)
  return within(
    schema,
    (property) => ({ anyOf: [patchOf(property), { type: 'null' }] }),
    () => []
  )
}

function within(
  { properties, required = [], items, ...schema }: SettingSchema,
  convert: (schema: SettingSchema) => Shown,
  requiredOf: (properties: Record<string, SettingSchema>, required: string[]) => string[]
): Shown {
  if (items) return { ...schema, items: convert(items) }
  if (!properties) return schema
  const names = requiredOf(properties, required)
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, convert(property)])
    ),
    ...(names.length > 0 && { required: names })
  }
}
