import { isDatabaseAway, isRetryable } from '../../db/errors.ts'
import {
  databaseUnavailable,
  DomainError,
  invalidFields,
  malformedRequest,
  overloaded,
  uriTooLong
} from '../domain/errors.ts'
import { explainViolations } from './field-errors.ts'
import type { ProblemDocument } from '../schemas/problem.ts'

const internal = () =>
  new DomainError(
    500,
    'internal-error',
    'Something went wrong',
    'The portal failed. Try again later. If it keeps failing, report the request id in `instance`.'
  )
export const notFound = () =>
  new DomainError(404, 'not-found', 'Not found', 'There is nothing at this address.')
export const methodNotAllowed = () =>
  new DomainError(
    405,
    'method-not-allowed',
    'Method not allowed',
    'This address does not support the method. The `Allow` header lists those it supports.'
  )
const bodyTooLarge = () =>
  new DomainError(
    413,
    'body-too-large',
    'The body is too large',
    'Send at most 16 KB, or 4 KB under /api/auth.'
  )
const unsupportedMediaType = () =>
  new DomainError(
    415,
    'unsupported-media-type',
    'Only JSON is understood',
    'Send the body as application/json, in UTF-8, not compressed.'
  )
const malformedJson = () =>
  new DomainError(
    400,
    'malformed-json',
    'The body is not JSON',
    'Send one JSON value in UTF-8, without a `__proto__` or `constructor` key.'
  )

/** Errors that Fastify throws, in the portal's words: the library's own text repeats what was received. */
const byCode: Record<string, (error: object) => DomainError> = {
  FST_ERR_HANDLER_TIMEOUT: overloaded,
  FST_ERR_CTP_INVALID_JSON_BODY: malformedJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: malformedJson,
  FST_ERR_VALIDATION: (error) => invalidFields(...fieldErrors(error))
}

/** All others with a 4xx status, of Fastify and of its plugins. */
const byStatus: Record<number, () => DomainError> = {
  400: malformedRequest,
  404: notFound,
  405: methodNotAllowed,
  413: bodyTooLarge,
  414: uriTooLong,
  415: unsupportedMediaType
}
const rejected = (status: number) =>
  new DomainError(
    status,
    'request-rejected',
    'The request was rejected',
    'The portal does not accept this request. Change it before you send it again.'
  )

/** Turns anything thrown into the refusal to answer with. An unknown error becomes `internal-error`. */
export function toRefusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (isDatabaseAway(error)) return databaseUnavailable()
  if (isRetryable(error)) return overloaded()
  if (!(error instanceof Error)) return internal()
  const { code, statusCode: status } = error as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? byCode[code] : undefined
  if (known) return known(error)
  if (typeof status !== 'number' || !(status >= 400 && status < 500)) return internal()
  return byStatus[status]?.() ?? rejected(status)
}

/** The problem document (RFC 9457) of a refusal. */
export function toProblem(
  { statusCode: status, code, title, message: detail, errors }: DomainError,
  requestId: string
): ProblemDocument {
  return {
    type: `/problems/${code}`,
    title,
    status,
    code,
    detail,
    instance: `urn:uuid:${requestId}`,
    ...(errors && { errors })
  }
}

/** Where pointers to the parts of a request outside its body begin. */
const base: Record<string, string> = { querystring: '/query', params: '/path', headers: '/header' }

function fieldErrors(error: object) {
  if (!('validation' in error) || !Array.isArray(error.validation)) return []
  const context = 'validationContext' in error ? (base[String(error.validationContext)] ?? '') : ''
  return explainViolations(error.validation, context)
}
