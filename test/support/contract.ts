import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

interface Response {
  $ref?: string
  headers?: object
  content?: Record<string, { schema: object }>
}
interface Operation {
  requestBody?: object
  responses: Record<string, Response>
}
export const setsSession = (header: unknown) =>
  [header].flat().some((each) => /^(?:__Host-)?portal_session=[^;]/.test(String(each)))

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response> }
}

/** Cache-Control of what is the same for everybody. */
const fixed: Record<string, string> = {
  '/.well-known/jwks.json': 'public, max-age=300',
  '/.well-known/passkey-endpoints': 'public, no-cache',
  '/api/auth/options': 'public, no-cache',
  '/openapi.json': 'public, no-cache'
}
const problemType = 'application/problem+json; charset=utf-8'

/** A document with a validator of every schema in it, by its JSON pointer. */
interface Contract extends Document {
  ajv: Ajv2020
  validator: (pointer: string) => ValidateFunction
}

function contractOf(app: FastifyInstance): Contract {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const document = app.swagger() as unknown as Document
  ajv.addSchema({ ...document, $id: 'openapi' })
  const compiled = new Map<string, ValidateFunction>()
  return {
    ...document,
    ajv,
    validator(pointer) {
      const known = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
      compiled.set(pointer, known)
      return known
    }
  }
}

/**
 * Applications of one kind share them, because to generate and to compile a document takes longer
 * than many a test. An operation is the same in each of them.
 */
const contracts: { of: string; contract: Contract }[] = []

/** The operations whose responses depend on the schema of settings. */
const withSettings = /settings|^\/api\/user\/export$/

/**
 * Compares every response of the application with its OpenAPI document: status, headers, content
 * type, shape, and the code of a problem. Calls `report` with each difference.
 */
export function checkResponses(app: FastifyInstance, report: (violation: string) => void) {
  let own: Contract | undefined
  const load = () => {
    if (own) return own
    own = contractOf(app)
    contracts.push({ of: ownKindOf(app), contract: own })
    return own
  }
  app.addHook('onSend', async function checkContract(request, reply, payload) {
    // Pages and CORS preflights are not operations, but their refusals are problem documents as
    // well. In development, a browser gets them as pages.
    if (isHidden(request) && reply.statusCode < 400) return
    const isPage = request.headers.accept?.includes('text/html') && app.surface === 'development'
    if (isPage && (isHidden(request) || request.is404)) return
    const { url = '' } = request.routeOptions
    // An app only adds to the operations of the portal, so its own contract is seldom needed.
    const kinds = [ownKindOf(app), ...(withSettings.test(url) ? [] : [kindOf(app)])]
    const isKnown = contracts.some(
      ({ of, contract }) =>
        kinds.includes(of) && differences(contract, request, reply, payload).length === 0
    )
    if (isKnown) return
    for (const each of differences(load(), request, reply, payload)) {
      report(
        `${request.method} ${request.routeOptions.url ?? 'no route'} ${reply.statusCode}: ${each}`
      )
    }
  })
}

/**
 * Operations differ by the mode, which also names the cookie, and by whether the commands have a
 * door of their own.
 */
const kindOf = ({ surface, config }: FastifyInstance, ...more: unknown[]) =>
  JSON.stringify([surface, Boolean(config.MACHINE_LISTEN), ...(more.some(Boolean) ? more : [])])

/** Some operations also differ by the schema of settings and by the app, none by anything else. */
const ownKindOf = (app: FastifyInstance) =>
  kindOf(app, app.config.settingsSchemas, app.ownApp?.definition)

const isHidden = ({ routeOptions }: FastifyRequest) => routeOptions.schema?.hide === true

function differences(
  { ajv, paths, components, validator }: Contract,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown
): string[] {
  const found: string[] = []
  const say = (what: string) => found.push(what)
  const method = request.method.toLowerCase()
  const { url, config } = request.routeOptions
  const hidden = isHidden(request)
  if (reply.getHeader('x-request-id') !== request.id) say('no X-Request-Id')
  const cacheControl = reply.getHeader('cache-control')
  const isFixed = config.access === 'public' && [200, 304].includes(reply.statusCode)
  if (cacheControl !== ((isFixed && fixed[url ?? '']) || 'no-store')) {
    say(`Cache-Control is ${String(cacheControl)}`)
  }
  const type = String(reply.getHeader('content-type') ?? '')
  const path = url?.replace(/:(\w+)/g, '{$1}') ?? ''
  const operation = paths[path]?.[method]
  let pointer = '/components/schemas/Problem'
  if (url !== undefined && !hidden && method !== 'head') {
    const own = operation?.responses[reply.statusCode]
    const shared = own?.$ref?.split('/').at(-1)
    const declared = shared === undefined ? own : components.responses[shared]
    if (!declared) return [...found, 'status is not declared']
    const headers = Object.keys(declared.headers ?? {})
    if (reply.getHeader('set-cookie') !== undefined && !headers.includes('Set-Cookie')) {
      say('sets a cookie that is not declared')
    }
    if (reply.getHeader('retry-after') !== undefined && !headers.includes('Retry-After')) {
      say('Retry-After is not declared')
    }
    if (!headers.includes('X-Request-Id')) say('X-Request-Id is not declared')
    const [media] = Object.keys(declared.content ?? {})
    if (media === undefined) {
      if (payload) say('has a body that is not declared')
      return found
    }
    if (type.split(';')[0] !== media) say(`content type is ${type}, declared is ${media}`)
    const place =
      shared === undefined
        ? ['paths', path, method, 'responses', reply.statusCode]
        : ['components', 'responses', shared]
    pointer = ['', ...place, 'content', media, 'schema']
      .map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))
      .join('/')
  }
  if (reply.statusCode >= 400 && !type.endsWith('json; charset=utf-8')) {
    say(`content type of a refusal is ${type}`)
  }
  if ((url === undefined || hidden) && type !== problemType) {
    say(`content type of a refusal is ${type}`)
  }
  const isPlain = Buffer.isBuffer(payload) && !reply.hasHeader('content-encoding')
  const text = isPlain ? payload.toString() : payload
  if (method === 'head' || typeof text !== 'string') return found
  const validate = validator(pointer)
  const value: unknown = type.startsWith('text/') ? text : JSON.parse(text)
  if (!validate(value)) say(ajv.errorsText(validate.errors))
  if (reply.statusCode === 400 && !hidden && !operation?.requestBody) {
    const { errors = [] } = value as { errors?: { pointer: string }[] }
    const lost = errors.filter((each) => !/^\/(?:query|path|header)(?:\/|$)/.test(each.pointer))
    for (const each of lost) say(`no body has ${each.pointer}`)
  }
  return found
}
