import { createRequire } from 'node:module'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import type { DestinationStream } from 'pino'
import { causeOf, databaseCode, isDatabaseUnavailable, sentenceOf } from '../../db/errors.ts'
import type { Config } from '../config/config.ts'
import type { DomainError } from '../domain/errors.ts'
import { providerWords } from '../problems/provider-reasons.ts'
import type { Surface } from './surface.ts'

const secretNames = ['password', 'currentPassword', 'newPassword', 'token', 'secret', 'jti']

/**
 * Readable lines for people in front of a terminal, JSON in production. Bodies are never logged;
 * fields with secret names are removed in case they slip in.
 */
export function loggerOptions(
  surface: Surface,
  level: Config['LOG_LEVEL']
): FastifyServerOptions['logger'] {
  return {
    level,
    redact: {
      paths: [
        'req.headers.cookie',
        'req.headers.authorization',
        'headers.cookie',
        'headers.authorization',
        'res.headers["set-cookie"]',
        'headers["set-cookie"]',
        ...secretNames,
        ...secretNames.map((name) => `*.${name}`)
      ],
      censor: '[redacted]'
    },
    serializers: { err: describeError },
    ...(surface !== 'production' && { stream: readable() })
  }
}

/**
 * Formats in this thread instead of a transport's, so that no line is lost or out of order when the
 * process ends. Loaded only when used.
 */
function readable(): DestinationStream {
  const pretty = createRequire(import.meta.url)('pino-pretty') as (
    options: object
  ) => DestinationStream
  return pretty({
    translateTime: 'SYS:HH:MM:ss',
    ignore: ['pid', 'hostname', ...requestFields].join(','),
    messageFormat: readableMessage,
    singleLine: true,
    sync: true
  })
}

/**
 * The fields of plugins/request-log.ts. On a terminal they become a sentence without user and
 * address.
 */
const requestFields = [
  'reqId',
  'method',
  'route',
  'path',
  'status',
  'ms',
  'userId',
  'sessionId',
  'ip'
]

/** The request id comes last. Problem documents contain it as `instance`. */
function readableMessage({
  msg,
  reqId,
  method,
  path,
  status,
  ms
}: Record<string, unknown>): string {
  const message = method === undefined ? msg : `${method} ${path} ${status} ${ms} ms`
  return [message, reqId].filter((part) => part !== undefined).join(' ')
}

/**
 * The message of a failed query contains its parameters (addresses, hashes), and the message of the
 * server may contain values. The statement, the code and its cause are kept, and the words of the
 * server about causes that are not in the values.
 */
export function describeError(error: Error) {
  const query = error instanceof DrizzleQueryError
  const frames =
    error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n') ?? ''
  return {
    type: error.name,
    code: databaseCode(error),
    cause: causeOf(error)?.name,
    sentence: sentenceOf(error),
    message: query
      ? `Failed query: ${error.query}`
      : databaseState(error)
        ? 'The database rejected a statement'
        : error.message,
    // It says nothing about a database that is unavailable.
    stack: isDatabaseUnavailable(error) ? '' : frames
  }
}

/** Writes one line for what only operators can mend: a database or a provider that fails. */
export function logRefusal(
  { id, server }: FastifyRequest,
  error: unknown,
  { statusCode, code, details }: DomainError,
  provider?: string
) {
  const { reason } = details ?? {}
  if (reason !== undefined && reason !== 'denied') {
    const words = providerWords(reason)
    server.log.warn({ reqId: id, provider, reason, words }, code)
  } else if (statusCode === 503) server.log.warn({ reqId: id, err: error }, code)
}

const databaseState = (error: Error) =>
  /^[0-9A-Z]{5}$/.test(databaseCode(error) ?? '') && !/^E/.test(databaseCode(error) ?? '')
