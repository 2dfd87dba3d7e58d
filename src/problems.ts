import { isDatabaseAway, isRetryable } from '../db/errors.ts'
import { databaseUnavailable, DomainError, invalidFields, malformedRequest, overloaded, uriTooLong } from './domain/errors.ts'
import type { FieldError } from './domain/errors.ts'
import { plainText } from './schemas/primitives.ts'
import type { ProblemDocument } from './schemas/problem.ts'

const internal = () => new DomainError(500, 'internal-error', 'Something went wrong', 'The portal failed. Try again later; if it stays, report the request id.')
export const notFound = () => new DomainError(404, 'not-found', 'Not found', 'There is nothing at this address.')
export const methodNotAllowed = () => new DomainError(405, 'method-not-allowed', 'Not by this method', 'The `Allow` header names the methods of this address.')

/** What Fastify refuses by itself, in the portal's words: the library's own text repeats what was received. */
const framework: Record<string, (error: object) => DomainError> = {
  FST_ERR_BAD_URL: malformedRequest,
  FST_ERR_MAX_PARAM_LENGTH: uriTooLong,
  FST_ERR_HANDLER_TIMEOUT: overloaded,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new DomainError(415, 'unsupported-media-type', 'Only JSON is understood', 'Send the body as application/json, in UTF-8, not compressed.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new DomainError(413, 'body-too-large', 'The body is too large', 'Send less.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformedRequest,
  FST_ERR_CTP_INVALID_JSON_BODY: () => new DomainError(400, 'malformed-json', 'The body is not JSON', 'Send one JSON value in UTF-8, without a `__proto__` or `constructor` key.'),
  FST_ERR_VALIDATION: (error) => invalidFields(...fieldErrors(error))
}

/** Whatever was thrown, as what is answered. Unknown errors say no more than that. */
export function toRefusal (error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (isDatabaseAway(error)) return databaseUnavailable()
  if (isRetryable(error)) return overloaded()
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return internal()
  return framework[error.code]?.(error) ?? internal()
}

/** The problem document (RFC 9457) of a refusal. */
export function toProblem ({ statusCode: status, code, title, message: detail, errors }: DomainError, requestId: string): ProblemDocument {
  return { type: `/problems/${code}`, title, status, code, detail, instance: `urn:uuid:${requestId}`, ...(errors && { errors }) }
}

interface Violation { keyword: string, instancePath: string, params: Record<string, unknown>, parentSchema?: { properties?: object, pattern?: string, examples?: unknown[] } }

/** Where the parts of a request that are not its body begin in a pointer. */
const base: Record<string, string> = { querystring: '/query', params: '/path', headers: '/header' }
const formats: Record<string, string> = { uuid: 'an id like 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e', 'date-time': 'a time like 2026-01-31T09:30:00.000Z' }

function fieldErrors (error: object): FieldError[] {
  if (!('validation' in error) || !Array.isArray(error.validation)) return []
  const context = 'validationContext' in error ? base[String(error.validationContext)] ?? '' : ''
  return explainViolations(error.validation, context)
}

/** What Ajv found, in words; it must run with `verbose`. */
export const explainViolations = (violations: unknown[], context = '') => violations.map((violation) => explain(violation as Violation, context))

/** One schema violation in words. Never what was received: an unknown property is named by its place, not its name. */
function explain ({ keyword, instancePath, params, parentSchema }: Violation, context: string): FieldError {
  const at = (code: string, message: string, pointer = instancePath) => ({ pointer: context + pointer, code, message })
  const known = () => Object.keys(parentSchema?.properties ?? {}).join(', ')
  switch (keyword) {
    case 'required': return at('required', 'Is missing', `${instancePath}/${params.missingProperty}`)
    case 'type': return at('wrong-type', `Must be of type ${params.type}`)
    case 'minLength': return at('too-short', `At least ${params.limit} character${params.limit === 1 ? '' : 's'}`)
    case 'maxLength': return at('too-long', `At most ${params.limit} characters`)
    case 'enum': return at('not-allowed', `Must be one of ${(params.allowedValues as string[]).join(', ')}`)
    case 'minimum': case 'maximum': return at('out-of-range', `Must be ${keyword === 'minimum' ? 'at least' : 'at most'} ${params.limit}`)
    case 'minProperties': return at('empty', `Changes nothing; may have ${known()}`)
    case 'maxItems': return at('too-many', `At most ${params.limit}`)
    case 'uniqueItems': return at('repeated', 'Has one value twice')
    case 'format': return at('malformed', `Must be ${formats[String(params.format)] ?? `of the form ${params.format}`}`)
    case 'pattern': return parentSchema?.pattern === plainText
      ? at('invalid-characters', 'Must not contain control characters, halves of a character or marks that turn the reading direction')
      : at('malformed', `Must be like ${parentSchema?.examples?.[0]}`)
    case 'additionalProperties': return at('unknown-property', `Has a property that is not known here; known are ${known()}`)
    default: return at('invalid', 'Is not valid')
  }
}
