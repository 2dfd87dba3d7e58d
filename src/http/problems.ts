import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { causeOf, isDatabaseUnavailable, isRetryable } from '../../db/errors.ts'
import { randomId } from '../domain/crypto.ts'
import { DomainError, invalidFields, overloaded } from '../domain/errors.ts'
import type { Reauthentication } from '../domain/errors.ts'
import { findRequired, provingProviders, showProvider } from '../domain/providers/provider.ts'
import type { Provider } from '../domain/providers/provider.ts'
import { problemType } from '../domain/vocabulary.ts'
import type { errorCodes } from '../schemas/ofrep.ts'
import type { ProblemDocument } from '../schemas/problem.ts'
import { explainViolations } from './field-errors.ts'
import { closeUnlessUpgraded } from './methods.ts'
import { STATUS_CODES } from './node-http.ts'

/** Refusals for errors of Fastify, whose own messages repeat received input. */
const byCode: Record<string, (error: object) => DomainError> = {
  FST_ERR_HANDLER_TIMEOUT: overloaded,
  FST_ERR_CTP_INVALID_JSON_BODY: () => new DomainError('malformed-json'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new DomainError('malformed-json'),
  FST_ERR_VALIDATION: (error) => invalidFields(...fieldErrors(error))
}

/** For other errors of Fastify and its plugins with a 4xx status. */
const byStatus: Record<number, () => DomainError> = {
  400: () => new DomainError('malformed-request'),
  404: () => new DomainError('not-found'),
  405: () => new DomainError('method-not-allowed'),
  413: () => new DomainError('body-too-large'),
  414: () => new DomainError('uri-too-long'),
  415: () => new DomainError('unsupported-media-type')
}

const unavailable = (detail?: string) =>
  new DomainError('database-unavailable', {
    retryAfter: 1,
    ...(detail !== undefined && { detail })
  })

/** Turns any thrown value into a refusal. An unknown error becomes `internal-error`. */
export function toRefusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (isDatabaseUnavailable(error)) return unavailable(causeOf(error)?.users)
  if (isRetryable(error)) return overloaded()
  if (!(error instanceof Error)) return new DomainError('internal-error')
  const { code, statusCode: status } = error as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? byCode[code] : undefined
  if (known) return known(error)
  if (typeof status !== 'number' || !(status >= 400 && status < 500)) {
    return new DomainError('internal-error')
  }
  return byStatus[status]?.() ?? new DomainError('request-rejected', { status })
}

/**
 * The problem document (RFC 9457) of a refusal.
 * @param providers of the configuration
 */
export function toProblem(
  refusal: DomainError,
  requestId: string,
  providers: readonly Provider[] = []
): ProblemDocument {
  const { statusCode: status, code, title, message: detail, errors } = refusal
  const { reauthentication, deleteAt, challenge } = refusal
  return {
    type: `/problems/${code}`,
    title,
    status,
    code,
    detail,
    instance: `urn:uuid:${requestId}`,
    ...(errors && { errors }),
    ...(challenge && { challenge }),
    ...(deleteAt && { deleteAt: deleteAt.toISOString() }),
    ...(reauthentication && showReauthentication(reauthentication, providers))
  }
}

/**
 * Leaves out providers of the user that the configuration no longer has. If the user must sign in
 * with one, neither another one nor the password counts.
 */
function showReauthentication(
  { methods: all, maxAge, email, providers: proofs }: Reauthentication,
  providers: readonly Provider[]
) {
  const required = email === undefined ? undefined : findRequired(providers, email)
  const methods = required ? all.filter((method) => method !== 'password') : all
  const isAlone = methods.every((method) => method === 'provider')
  const proving = proofs
    ? provingProviders(required ? [required] : providers, { ...proofs, isAlone })
    : []
  if (proving.length > 0) return { methods, maxAge, providers: proving.map(showProvider) }
  return { methods: methods.filter((method) => method !== 'provider'), maxAge }
}

/**
 * The document as text, which needs no serializer of a route.
 * @param params of a route of the OpenFeature Remote Evaluation Protocol, whose 400 and 404 differ
 */
export function toAnswer(problem: ProblemDocument, params?: unknown) {
  return params !== undefined && (problem.status === 400 || problem.status === 404)
    ? {
        type: 'application/json; charset=utf-8',
        body: JSON.stringify(toEvaluationProblem(problem, params))
      }
    : { type: 'application/problem+json; charset=utf-8', body: JSON.stringify(problem) }
}

/** Prefixes of pointers into the parts of a request other than the body. */
const base: Record<string, string> = { querystring: '/query', params: '/path', headers: '/header' }

function fieldErrors(error: object) {
  if (!('validation' in error) || !Array.isArray(error.validation)) return []
  const context = 'validationContext' in error ? (base[String(error.validationContext)] ?? '') : ''
  return explainViolations(error.validation, context)
}

const codes: Record<string, (typeof errorCodes)[number]> = {
  'flag-not-found': 'FLAG_NOT_FOUND',
  'targeting-key-missing': 'TARGETING_KEY_MISSING',
  'malformed-json': 'PARSE_ERROR',
  'invalid-request': 'INVALID_CONTEXT'
}

/** The requested key is returned if it can be displayed. */
const keyForm = /^\P{C}{1,80}$/u

/** A refusal in the format of OFREP 0.3, with the members of the problem document added. */
function toEvaluationProblem(problem: ProblemDocument, params: unknown) {
  const asked =
    params !== null && typeof params === 'object' && 'key' in params ? String(params.key) : ''
  const key = keyForm.test(asked) ? { key: asked } : {}
  return {
    ...key,
    errorCode: codes[problem.code] ?? 'GENERAL',
    // Providers log it, for developers.
    errorDetails: problemType(problem.code).hint ?? problem.detail,
    ...problem
  }
}

const reasons: Record<string, () => DomainError> = {
  HPE_HEADER_OVERFLOW: () => new DomainError('headers-too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new DomainError('request-timeout')
}

/**
 * Responds to a message that Node could not parse, for which there is a socket but no request.
 * Fastify calls this with itself as `this`.
 */
export function onClientError(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const {
    problem: { status },
    headers,
    body
  } = answer(this, reasons[error.code ?? '']?.() ?? new DomainError('malformed-request'))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  // The client may never read the whole response, so unsent data is dropped.
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'), () =>
    socket.destroy()
  )
}

/** Responds to `Expect` headers other than 100-continue, for which Node would send an empty 417. */
export function onExpectation(
  app: FastifyInstance,
  request: IncomingMessage,
  response: ServerResponse
) {
  const { problem, headers, body } = answer(app, new DomainError('expectation-failed'))
  response
    .writeHead(problem.status, { ...headers, ...app.corsHeaders(request.headers.origin) })
    .end(body)
}

/**
 * Responds to URLs that the router rejects before any hook: malformed, or with an overlong segment.
 */
export function onUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(toRefusal(error), request.id)
  closeUnlessUpgraded(request, reply)
  reply.code(problem.status).headers({
    ...request.server.securityHeaders,
    ...request.server.corsHeaders(request.headers.origin),
    'x-request-id': request.id
  })
  const { type, body } = toAnswer(problem)
  reply.type(type).send(body)
}

function answer(app: FastifyInstance, error: DomainError) {
  const id = randomId()
  const problem = toProblem(error, id)
  const { type, body } = toAnswer(problem)
  return {
    problem,
    body,
    headers: {
      ...app.securityHeaders,
      date: new Date().toUTCString(),
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
      connection: 'close'
    }
  }
}
