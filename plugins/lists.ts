import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { signingKey, subKey } from '../src/config/keys.ts'
import type { Key } from '../src/config/keys.ts'
import { hmac, isEqual } from '../src/domain/crypto.ts'
import { DomainError } from '../src/domain/errors.ts'

export default fp(
  async (app) => {
    const { SECRET_KEYS: keys } = app.config
    const queryOf = ({ query }: FastifyRequest) => query as Record<string, unknown>
    const scopeOf = (request: FastifyRequest) =>
      cursorScope(pathOf(request), readerOf(request), queryOf(request))

    app.decorateRequest('cursorPosition', function () {
      const { cursor } = queryOf(this)
      if (typeof cursor !== 'string') return undefined
      const position = openCursor(keys, scopeOf(this), cursor)
      if (!position) throw new DomainError('invalid-cursor')
      return position
    })
    app.decorateReply('page', function ({ items, next }) {
      if (!next) return { items, nextCursor: null }
      const nextCursor = sealCursor(keys, scopeOf(this.request), next)
      this.header('link', nextLink(pathOf(this.request), queryOf(this.request), nextCursor))
      return { items, nextCursor }
    })
  },
  { name: 'lists', dependencies: ['auth', 'config', 'keys'] }
)

const macLength = 16

/**
 * Encodes a position in a list as opaque text that is valid for its `scope` only: the list with its
 * filters, its sort key and its reader. Sealed but not encrypted, because it contains only data of
 * the page.
 */
function sealCursor(keys: readonly Key[], scope: string, position: unknown[]): string {
  const text = JSON.stringify(position)
  return Buffer.concat([mac(signingKey(keys), scope, text), Buffer.from(text)]).toString(
    'base64url'
  )
}

/** Undefined for text that was not sealed in this scope with one of these keys. */
function openCursor(keys: readonly Key[], scope: string, cursor: string): unknown[] | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  const seal = bytes.subarray(0, macLength)
  const text = bytes.subarray(macLength).toString()
  const good = keys.some((key) => isEqual(seal, mac(key, scope, text)))
  return good ? (JSON.parse(text) as unknown[]) : undefined
}

const mac = (key: Key, scope: string, text: string) =>
  hmac('sha256', subKey(key, 'cursor'), JSON.stringify([scope, text])).subarray(0, macLength)

/** The id of the signed-in user, or of the owner of the key. */
const readerOf = ({ principal, presentedKey }: FastifyRequest) =>
  principal?.user.id ?? presentedKey?.caller.owner.id

interface Located {
  routeOptions: { url?: string | undefined }
  params: unknown
}

/** The path of a list in one spelling: the pattern of its route with the parameters filled in. */
const pathOf = ({ routeOptions: { url = '' }, params }: Located): string =>
  url.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name]))
  )

type Query = Record<string, unknown>

/**
 * The scope of a cursor: a list with its filters, sort key and reader. The page size may change.
 */
export function cursorScope(
  path: string,
  readerId: string | undefined,
  { cursor, limit, ...filters }: Query
): string {
  return JSON.stringify([
    path,
    readerId,
    Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  ])
}

/** The Link header to the next page (RFC 8288). */
export function nextLink(path: string, query: Query, cursor: string): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    parameters.set(name, String(value))
  }
  return `<${path}?${parameters}>; rel="next"`
}
