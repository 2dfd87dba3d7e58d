import type { RouteOptions } from 'fastify'
import { isAccess, missingSource, requiresKey } from '../domain/permissions.ts'
import { tagNames } from '../http/document/operation-tags.ts'
import { isWebSocket } from '../http/methods.ts'
import { problems } from '../problems/list.ts'
import type { AppDefinition } from './definition.ts'

const policies =
  "'public', 'optional', 'session' or { permission: KEY }, or below /api/machine to { key: KEY }"
const reserved = ['/api/auth', '/api/user', '/api/admin']

/** Fastify adds routes for HEAD, and for the path of a folder with a slash. */
export const nameOf = ({ method, url }: RouteOptions) =>
  `${method === 'HEAD' ? 'GET' : String(method)} ${url.replace(/(?<=.)\/$/, '')}`

/** The mistakes in a route of the app: what is wrong, and what to do. */
export function routeFaults(
  route: RouteOptions,
  definition: AppDefinition,
  isAllowed: boolean
): (string | false)[] {
  const { url, config, schema } = route
  const path = reserved.find((each) => canBeBelow(url, each, isAllowed))
  if (path !== undefined) {
    return [`can be below ${path}, which belongs to the portal: move it elsewhere`]
  }
  const wrong = accessFault(route, Object.keys(definition.permissions ?? {}))
  if (wrong !== undefined) return [wrong]
  const forKeys = requiresKey(config?.access)
  const isBelow = url.startsWith('/api/machine/')
  const tags = [config?.tag ?? []].flat().filter((tag) => !tagNames.includes(tag))
  const known = { ...problems, ...definition.problems }
  return [
    forKeys && !isBelow && 'is for API keys: move it below /api/machine, into routes/machine',
    isBelow &&
      !forKeys &&
      'is below /api/machine, which is for API keys: set config.access to { key: KEY }',
    !schema?.response &&
      !isWebSocket(route) &&
      'has no response schema: add schema.response, because only what it names is sent',
    ...unknown('has the tag', tags, 'tags', definition.tags),
    ...unknown('has the problem', codesIn(schema?.response), 'problems', known)
  ]
}

/** @param part where the app declares such words */
const unknown = (has: string, words: string[], part: keyof AppDefinition, known: object = {}) =>
  words
    .filter((word) => !Object.hasOwn(known, word))
    .map(
      (word) => `${has} ${word}, which neither the portal nor the app has: declare it in ${part}`
    )

/** The codes of the problems that the responses of a route name. */
const codesIn = (response: unknown = {}): string[] =>
  Object.values(response as Record<string, { codes?: string[] }>).flatMap(({ codes = [] }) => codes)

function accessFault({ url, config }: RouteOptions, ownPermissions: readonly string[]) {
  const { get } = Object.getOwnPropertyDescriptor(config ?? {}, 'access') ?? {}
  const access: unknown = config?.access
  if (get || typeof access === 'function') {
    return `computes its access policy: set config.access to ${policies}`
  }
  if (access === undefined) {
    return (
      `has no access policy: set config.access to ${policies}. For a plugin of others: ` +
      'app.register(allow(plugin, { access }))'
    )
  }
  const policy = Object(access) as Record<string, unknown>
  const { scope, ...named } = policy
  const isOne = Object.keys(named).length === 1
  if (isAccess(access, ownPermissions) && (isOne || typeof access === 'string')) {
    const missing = missingSource(url, access)
    return (
      missing &&
      `names a scope by ${missing}, which its path does not have: name one of its parameters`
    )
  }
  if (!isOne || !('permission' in named || 'key' in named)) {
    return `has an unknown access policy: set config.access to ${policies}`
  }
  if ('scope' in policy && isAccess(named, ownPermissions)) {
    return "names a scope wrongly: set scope to 'params.NAME' or 'query.NAME', beside permission"
  }
  return unknown('requires the permission', Object.values(named).map(String), 'permissions')[0]
}

/**
 * Whether a path, which may have parameters, can be below another one. A plugin of others may have
 * a wildcard for every path, such as that of pages: the routes of the portal come before it.
 */
function canBeBelow(url: string, path: string, isAllowed: boolean) {
  const parts = url.split('/')
  for (const [at, part] of path.split('/').entries()) {
    const own = parts[at]
    if (own?.endsWith('*')) return !isAllowed && part.startsWith(own.slice(0, -1))
    if (own !== part && !(own?.includes(':') && !isAllowed)) return false
  }
  return true
}

/** The route of the portal that a path would hide, by its method. */
export const hiddenBy = ({ method, url }: RouteOptions, portal: readonly RouteOptions[]) =>
  portal.find(
    (each) =>
      [each.method].flat().some((one) => [method].flat().includes(one)) && covers(each.url, url)
  )

/** Whether a request for the path can reach the route of a pattern. */
function covers(pattern: string, path: string) {
  const own = path.split('/')
  const parts = pattern.split('/')
  const isOpen = parts.length > 1 && parts.at(-1) === '*'
  return (
    (isOpen ? own.length >= parts.length : own.length === parts.length) &&
    parts.every((part, at) => part === own[at] || part.startsWith(':') || (isOpen && part === '*'))
  )
}

/** The parts of the request whose schema lets properties pass that it does not name. */
export const openParts = ({ schema }: RouteOptions): string[] => [
  ...openIn(schema?.body, 'body'),
  ...openIn(schema?.querystring, 'querystring')
]

function openIn(schema: unknown, path: string): string[] {
  const { type, properties, items, additionalProperties } = Object(schema) as Record<
    string,
    unknown
  >
  const isOpen = type === 'object' && properties !== undefined && additionalProperties === undefined
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, each]) => openIn(each, `${path}/${name}`)),
    ...(items ? openIn(items, `${path}/items`) : [])
  ]
}
